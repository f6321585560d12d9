-- The session in which a request was approved: an approval that was not fetched ends with it.
ALTER TABLE device_codes ADD COLUMN session_id TEXT;
ALTER TABLE ciba_requests ADD COLUMN session_id TEXT;
CREATE INDEX device_codes_by_session ON device_codes (tenant_id, session_id) WHERE session_id IS NOT NULL;
CREATE INDEX ciba_requests_by_session ON ciba_requests (tenant_id, session_id) WHERE session_id IS NOT NULL;
