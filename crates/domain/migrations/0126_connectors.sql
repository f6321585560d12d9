-- Providers at which a tenant has registered itself, and at which its people sign in.
CREATE TABLE connectors (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    -- Of one tenant alone: what people have connected is bound to it.
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    configuration TEXT NOT NULL,
    -- Null where the provider asks for none.
    sealed_secret BYTEA,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Rises with every change of the connectors of a tenant: a deleted record leaves no row to see.
CREATE TABLE connector_sets (
    tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
    generation BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX connector_sets_by_change ON connector_sets (updated_at);
