-- The first response to a write that carried an `idempotency-key`, so that a retry gets the same answer.
CREATE TABLE idempotency_keys (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    caller TEXT NOT NULL,
    route TEXT NOT NULL,
    key_digest BYTEA NOT NULL,
    body_digest BYTEA NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'done')),
    -- Sealed under the key itself, which is stored as a digest only.
    response BYTEA,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, caller, route, key_digest)
);
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);
