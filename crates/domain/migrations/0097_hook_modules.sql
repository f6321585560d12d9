-- Modules of tenants, to be asked as hooks. A row never changes: hooks point at another one instead.
CREATE TABLE hook_modules (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    -- The WebAssembly, and its SHA-256 in hex.
    module BYTEA NOT NULL,
    sha256 TEXT NOT NULL,
    size BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
