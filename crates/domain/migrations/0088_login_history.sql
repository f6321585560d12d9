-- Sign-ins of people, and those that failed, as they and their administrators see them.
CREATE TABLE login_history (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    -- 'success', 'failure' or 'refused': kinds are the program's to know.
    outcome TEXT NOT NULL,
    amr TEXT NOT NULL,
    session_id TEXT,
    -- The network of the address, never the address.
    network TEXT NOT NULL,
    browser TEXT NOT NULL,
    os TEXT NOT NULL,
    is_known_device BOOLEAN NOT NULL,
    -- Null where sign-ins were not rated.
    score BIGINT,
    reasons TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);
CREATE INDEX login_history_by_person ON login_history (tenant_id, tenant_user_id, id);
CREATE INDEX login_history_by_time ON login_history (at);
