-- Where the audit log is sent.
CREATE TABLE audit_streams (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    configuration TEXT NOT NULL,
    active BOOLEAN NOT NULL,
    -- What signs or proves; a text without characters where the destination asks for none.
    sealed_secret BYTEA NOT NULL,
    -- The receiver has entries up to this position.
    position BIGINT NOT NULL,
    -- The last position of what is on its way: a batch that is repeated has the same entries.
    batch_until BIGINT,
    -- When the next batch may go out, and until when a worker has the stream for itself.
    due_at BIGINT NOT NULL,
    claimed_until BIGINT NOT NULL,
    sent_at BIGINT,
    -- Since when nothing has been taken, when that was last tried, how often since then, and why it failed.
    failing_since BIGINT,
    last_failed_at BIGINT,
    failures BIGINT NOT NULL,
    last_error TEXT,
    -- Why the service switched it off.
    deactivated_because TEXT,
    -- The subject of the person who made it, and whether a mail has to tell that person of the deactivation.
    owner TEXT,
    owner_to_be_told BOOLEAN NOT NULL,
    tested_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
