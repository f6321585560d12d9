-- Requests for authorization that a person decides on another device while the application polls.
CREATE TABLE device_codes (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    user_code TEXT NOT NULL,
    app_id TEXT NOT NULL,
    -- Who last entered the code; only they decide.
    tenant_user_id TEXT,
    family_id TEXT NOT NULL,
    request TEXT NOT NULL,
    authorization_grant TEXT,
    state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'spent')),
    interval_secs BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, digest),
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);
CREATE UNIQUE INDEX device_codes_live ON device_codes (tenant_id, user_code) WHERE state = 'pending';
CREATE INDEX device_codes_by_user ON device_codes (tenant_id, tenant_user_id);
CREATE INDEX device_codes_expiry ON device_codes (expires_at);

CREATE TABLE ciba_requests (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    app_id TEXT NOT NULL,
    -- The digest of the hint as it came. Nobody is looked up until they look themselves, so that a request for somebody
    -- unknown costs and shows the same as any other.
    hint BYTEA NOT NULL,
    -- Who decided.
    tenant_user_id TEXT,
    family_id TEXT NOT NULL,
    request TEXT NOT NULL,
    binding_message TEXT,
    authorization_grant TEXT,
    state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'spent')),
    interval_secs BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, digest),
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);
CREATE INDEX ciba_requests_by_hint ON ciba_requests (tenant_id, hint);
CREATE INDEX ciba_requests_expiry ON ciba_requests (expires_at);
