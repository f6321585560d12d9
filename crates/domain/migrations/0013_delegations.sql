-- Who may act for whom, link by link; and whose assertions about people a tenant believes.
CREATE TABLE delegations (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    -- The link that this one came of; none where it came of the person's own authorization.
    parent_id TEXT,
    -- What the tokens of this link carry, so that one entry of the revocation list ends them.
    family_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    actor_app_id TEXT NOT NULL,
    -- The token that was exchanged: its application, its family and itself.
    source_client_id TEXT NOT NULL,
    source_family_id TEXT,
    source_jti TEXT NOT NULL,
    session_id TEXT,
    audience TEXT NOT NULL,
    scope TEXT NOT NULL,
    -- The actors, the present one outermost (RFC 8693, section 4.1); null where the application impersonates.
    actor TEXT NOT NULL,
    purpose TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('live', 'revoked')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, family_id),
    FOREIGN KEY (tenant_id, parent_id) REFERENCES delegations (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id),
    FOREIGN KEY (tenant_id, actor_app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX delegations_by_parent ON delegations (tenant_id, parent_id);
CREATE INDEX delegations_by_user ON delegations (tenant_id, tenant_user_id);
CREATE INDEX delegations_by_actor ON delegations (tenant_id, actor_app_id);
CREATE INDEX delegations_by_source ON delegations (tenant_id, source_client_id);
CREATE INDEX delegations_by_source_family ON delegations (tenant_id, source_family_id);
CREATE INDEX delegations_by_source_jti ON delegations (tenant_id, source_jti);
CREATE INDEX delegations_by_session ON delegations (tenant_id, session_id);
CREATE INDEX delegations_expiry ON delegations (expires_at);

CREATE TABLE trusted_issuers (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    issuer TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    configuration TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, issuer)
);

-- Which of our people an issuer's subject is; nobody is found by anything else.
CREATE TABLE trusted_subjects (
    tenant_id TEXT NOT NULL,
    issuer_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, issuer_id, tenant_user_id),
    UNIQUE (tenant_id, issuer_id, subject),
    FOREIGN KEY (tenant_id, issuer_id) REFERENCES trusted_issuers (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);

-- Assertions that were used, until they would have expired.
CREATE TABLE spent_assertions (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    digest BYTEA NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, digest)
);
CREATE INDEX spent_assertions_expiry ON spent_assertions (expires_at);
