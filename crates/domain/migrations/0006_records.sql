-- What happened: the audit log, and the outbox from which events are delivered.
CREATE TABLE audit_log (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    at BIGINT NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('success', 'denied')),
    request_id TEXT NOT NULL,
    client_ip TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE outbox (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX outbox_by_time ON outbox (created_at);
