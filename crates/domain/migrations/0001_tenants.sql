-- Tenants, and the keys that sign for the whole deployment.
CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    custom_domain TEXT UNIQUE,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
    settings TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL
);

CREATE TABLE signing_keys (
    kid TEXT PRIMARY KEY,
    algorithm TEXT NOT NULL CHECK (algorithm IN ('ES256', 'EdDSA', 'RS256')),
    state TEXT NOT NULL CHECK (state IN ('next', 'active', 'retired')),
    public_jwk TEXT NOT NULL,
    -- Null while the private half lives in one process only (no key management configured).
    wrapped_key BYTEA,
    created_at BIGINT NOT NULL,
    -- When the process that holds an unwrapped key last said so.
    seen_at BIGINT NOT NULL,
    -- When a retired key leaves the key set: the last token it signed has expired by then.
    expires_at BIGINT
);
