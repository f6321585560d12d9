-- Single sign-on of organizations: their providers, whom the providers mean, and the sessions that they vouch for.
CREATE TABLE sso_connections (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    enforced BOOLEAN NOT NULL,
    configuration TEXT NOT NULL,
    -- Null where the provider asks for none.
    sealed_secret BYTEA,
    tested_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX sso_connections_by_organization ON sso_connections (tenant_id, organization_id, id);
-- Two providers that people must use would leave them no way in.
CREATE UNIQUE INDEX sso_connections_enforced ON sso_connections (tenant_id, organization_id) WHERE enforced;

-- Whom a provider means: by its own subject, and by nothing else.
CREATE TABLE sso_identities (
    tenant_id TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, connection_id, issuer, subject),
    FOREIGN KEY (tenant_id, connection_id) REFERENCES sso_connections (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX sso_identities_by_user ON sso_identities (tenant_id, tenant_user_id);

-- Sessions that a provider vouched for: its word ends them too (OpenID Connect Back-Channel Logout 1.0).
CREATE TABLE sso_sessions (
    tenant_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    -- What the provider calls its own session, where it says so.
    sid TEXT,
    PRIMARY KEY (tenant_id, session_id),
    FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, connection_id) REFERENCES sso_connections (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX sso_sessions_by_subject ON sso_sessions (tenant_id, connection_id, issuer, subject);
