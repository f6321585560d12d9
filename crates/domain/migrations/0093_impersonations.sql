-- Support staff who act for a person: asked for with a reason, approved where the tenant wants that, begun by a link, and over by time.
CREATE TABLE impersonations (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    -- For whom, and who.
    tenant_user_id TEXT NOT NULL,
    staff_id TEXT NOT NULL,
    -- The one application that it is for, if it is for one.
    app_id TEXT,
    reason TEXT NOT NULL,
    minutes BIGINT NOT NULL,
    -- 'waiting', 'ready', 'active', 'refused' or 'ended': states are the program's to know.
    state TEXT NOT NULL,
    -- The link that begins it, and the session of the staff member in whose browser alone it works.
    link_digest BYTEA,
    link_expires_at BIGINT,
    staff_session_id TEXT,
    -- The session that it is.
    session_id TEXT,
    created_at BIGINT NOT NULL,
    decided_at BIGINT,
    started_at BIGINT,
    ended_at BIGINT,
    -- Until when it can be approved, or begun, and then when it ends.
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, link_digest),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id),
    FOREIGN KEY (tenant_id, staff_id) REFERENCES tenant_users (tenant_id, id)
);
CREATE INDEX impersonations_by_person ON impersonations (tenant_id, tenant_user_id);
CREATE INDEX impersonations_by_staff ON impersonations (tenant_id, staff_id);
CREATE INDEX impersonations_by_staff_session ON impersonations (tenant_id, staff_session_id);
CREATE INDEX impersonations_by_session ON impersonations (tenant_id, session_id);
CREATE INDEX impersonations_expiry ON impersonations (expires_at);

-- The session in which support staff act.
ALTER TABLE sessions ADD COLUMN impersonation_id TEXT;
