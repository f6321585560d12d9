-- The keys of tenants, wrapped by the root. What they sealed ends with them.
CREATE TABLE tenant_keys (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    -- Never used again, so that what a destroyed key sealed names it still.
    id BIGINT NOT NULL,
    -- Nothing once the key is destroyed.
    wrapped_key BYTEA,
    -- The version of the root that wrapped it.
    wrapped_by BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    destroyed_at BIGINT,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX tenant_keys_destroyed ON tenant_keys (destroyed_at) WHERE destroyed_at IS NOT NULL;
CREATE INDEX tenant_keys_wrapped ON tenant_keys (wrapped_by) WHERE destroyed_at IS NULL;
