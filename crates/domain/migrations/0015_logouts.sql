-- Who is to be told when a session ends (OpenID Connect Back-Channel Logout), and the telling.
CREATE TABLE session_clients (
    tenant_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    app_id TEXT NOT NULL,
    -- What the application's ID token said; the session that it named may have been renewed since.
    sid TEXT NOT NULL,
    subject TEXT NOT NULL,
    PRIMARY KEY (tenant_id, session_id, app_id, sid),
    FOREIGN KEY (tenant_id, session_id) REFERENCES sessions (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE logout_deliveries (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    app_id TEXT NOT NULL,
    sid TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('due', 'sent', 'failed')),
    failures BIGINT NOT NULL,
    -- While an attempt is under way, the end of its lease.
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX logout_deliveries_due ON logout_deliveries (due_at) WHERE state = 'due';
CREATE INDEX logout_deliveries_waiting ON logout_deliveries (tenant_id, app_id, due_at) WHERE state = 'due';
CREATE INDEX logout_deliveries_ended ON logout_deliveries (created_at) WHERE state <> 'due';
