-- Receivers that are asked before something happens, and may refuse it.
CREATE TABLE hooks (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    -- Where it is asked; the configuration says it too.
    point TEXT NOT NULL,
    configuration TEXT NOT NULL,
    sealed_secret BYTEA NOT NULL,
    -- The secret before, with which calls are signed as well until it expires.
    sealed_former_secret BYTEA,
    former_expires_at BIGINT,
    tested_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

-- Rises with every change of a tenant's hooks: a deleted one leaves no row to see.
CREATE TABLE hook_sets (
    tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
    generation BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX hook_sets_by_change ON hook_sets (updated_at);
