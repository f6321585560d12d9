-- Every node asks each second which people have changed; a new row has not.
CREATE INDEX tenant_users_by_update ON tenant_users (updated_at) WHERE version > 1;
CREATE INDEX accounts_by_update ON accounts (updated_at) WHERE updated_at > created_at;
-- And which requests that are polled for have been decided.
ALTER TABLE device_codes ADD COLUMN decided_at BIGINT;
ALTER TABLE ciba_requests ADD COLUMN decided_at BIGINT;
CREATE INDEX device_codes_by_decision ON device_codes (decided_at) WHERE decided_at IS NOT NULL;
CREATE INDEX ciba_requests_by_decision ON ciba_requests (decided_at) WHERE decided_at IS NOT NULL;
