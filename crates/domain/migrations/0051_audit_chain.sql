-- The audit log as a chain. Entries are written without a place; a sequencer gives each committed one its position in the log of its
-- tenant and a hash over the one before it and itself. An entry that has none waits for that.
ALTER TABLE audit_log ADD COLUMN position BIGINT;
ALTER TABLE audit_log ADD COLUMN hash BYTEA;
CREATE INDEX audit_log_by_position ON audit_log (tenant_id, position);
CREATE INDEX audit_log_waiting ON audit_log (id) WHERE position IS NULL;

-- Where the chain of each tenant begins and ends.
CREATE TABLE audit_chains (
    tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
    -- The position and the hash of the latest entry.
    last BIGINT NOT NULL,
    last_hash BYTEA NOT NULL,
    -- Entries up to this position have outlived their retention and may be removed; the hash is that of the last of them.
    removed BIGINT NOT NULL,
    removed_hash BYTEA NOT NULL,
    -- The latest checkpoint.
    signed BIGINT NOT NULL,
    signed_at BIGINT NOT NULL
);

-- What the chain was at a time, signed.
CREATE TABLE audit_checkpoints (
    tenant_id TEXT NOT NULL REFERENCES audit_chains (tenant_id),
    position BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    -- A JWS of the type `audit-checkpoint+jwt`.
    jws TEXT NOT NULL,
    PRIMARY KEY (tenant_id, position)
);

-- What the log is searched by. An entry enters when it gets its place, so that a decision does not write these indexes.
CREATE INDEX audit_log_by_action ON audit_log (tenant_id, action, id) WHERE position IS NOT NULL;
CREATE INDEX audit_log_by_actor ON audit_log (tenant_id, actor_id, id) WHERE position IS NOT NULL;
CREATE INDEX audit_log_by_target ON audit_log (tenant_id, target, id) WHERE position IS NOT NULL;
