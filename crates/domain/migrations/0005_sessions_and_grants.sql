-- Browser sessions, and the consumable records that become tokens.
CREATE TABLE sessions (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    tenant_user_id TEXT NOT NULL,
    auth_time BIGINT NOT NULL,
    amr TEXT NOT NULL,
    acr TEXT NOT NULL,
    user_agent TEXT NOT NULL,
    client_ip TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended_at BIGINT,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, digest),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);
CREATE INDEX sessions_by_user ON sessions (tenant_id, tenant_user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- What one authorization allowed; codes and refresh tokens of it die together.
CREATE TABLE refresh_families (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    app_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    authorization_grant TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('live', 'revoked')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);
CREATE INDEX refresh_families_by_user ON refresh_families (tenant_id, tenant_user_id);
CREATE INDEX refresh_families_expiry ON refresh_families (expires_at);

CREATE TABLE refresh_tokens (
    tenant_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    family_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('live', 'spent')),
    -- The next token, sealed under this one: only its holder can be given it again.
    successor BYTEA,
    spent_at BIGINT,
    -- What the spender asked for; a repeated answer must be to the same question.
    spent_for TEXT,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, digest),
    FOREIGN KEY (tenant_id, family_id) REFERENCES refresh_families (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_by_family ON refresh_tokens (tenant_id, family_id);
CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);

CREATE TABLE codes (
    tenant_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    app_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    family_id TEXT NOT NULL,
    authorization_grant TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('live', 'spent')),
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, digest),
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);
CREATE INDEX codes_expiry ON codes (expires_at);

-- What no longer counts although its signature verifies.
CREATE TABLE revocations (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    kind TEXT NOT NULL CHECK (kind IN ('jti', 'family', 'session', 'subject', 'app')),
    value TEXT NOT NULL,
    -- Tokens issued up to here are dead.
    revoked_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, kind, value)
);
CREATE INDEX revocations_by_time ON revocations (revoked_at);
CREATE INDEX revocations_expiry ON revocations (expires_at);
