-- Small facts that nodes share: counters, things seen once, leases. Every row expires; a sweep removes what has.
CREATE TABLE coordination_entries (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    count BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX coordination_entries_by_expiry ON coordination_entries (expires_at);
