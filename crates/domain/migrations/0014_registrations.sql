-- Applications that nobody of the tenant entered: who may register them, how each came to be, and whom it knows people as.
CREATE TABLE registration_tokens (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    description TEXT NOT NULL,
    quota BIGINT NOT NULL,
    used BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, digest)
);
CREATE INDEX registration_tokens_expiry ON registration_tokens (expires_at);

CREATE TABLE registrations (
    tenant_id TEXT NOT NULL,
    app_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('dynamic', 'document')),
    -- Of the token that manages a dynamic registration; a document is managed where it is published.
    digest BYTEA,
    -- What the application said of itself and we only give back.
    remarks TEXT NOT NULL,
    -- Until when a document need not be fetched again, and when it was last read.
    fresh_until BIGINT NOT NULL,
    fetched_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    -- The first token; an application that never got one goes away.
    used_at BIGINT,
    PRIMARY KEY (tenant_id, app_id),
    UNIQUE (tenant_id, digest),
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX registrations_unused ON registrations (kind, created_at) WHERE used_at IS NULL;

CREATE TABLE pairwise_subjects (
    tenant_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    sector TEXT NOT NULL,
    subject TEXT NOT NULL,
    PRIMARY KEY (tenant_id, tenant_user_id, sector),
    UNIQUE (tenant_id, subject),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);

-- What a self-registered application said of itself when the person agreed; whoever says something else asks again.
ALTER TABLE consents ADD COLUMN snapshot TEXT;
