-- When the word of a provider stopped counting on which a session that has ended rested: what it has allowed is still to be ended. Null is
-- nothing.
ALTER TABLE sessions ADD COLUMN withdrawn_at BIGINT;
CREATE INDEX sessions_withdrawn ON sessions (withdrawn_at, tenant_id, id) WHERE withdrawn_at IS NOT NULL;
