-- Keys with which programs call the management API: of the tenant, or of the person who made one.
CREATE TABLE api_keys (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    -- The secret before a rotation, until it ends.
    former_digest BYTEA,
    former_expires_at BIGINT,
    -- For whom it acts; without one, for the tenant.
    tenant_user_id TEXT,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    last_used_at BIGINT,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, digest),
    UNIQUE (tenant_id, former_digest),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);
CREATE INDEX api_keys_by_owner ON api_keys (tenant_id, tenant_user_id);
CREATE INDEX api_keys_expiry ON api_keys (expires_at);
