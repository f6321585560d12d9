-- Kinds of links are the program's to know. A constraint of SQLite goes with its table only.
CREATE TABLE all_links (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    digest BYTEA NOT NULL,
    kind TEXT NOT NULL,
    account_id TEXT REFERENCES accounts (id),
    payload TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('live', 'spent')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, digest)
);
INSERT INTO all_links (tenant_id, digest, kind, account_id, payload, state, created_at, expires_at)
    SELECT tenant_id, digest, kind, account_id, payload, state, created_at, expires_at FROM links;
DROP TABLE links;
ALTER TABLE all_links RENAME TO links;
CREATE INDEX links_expiry ON links (expires_at);
