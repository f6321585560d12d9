-- People who delete their account: when that takes effect.
ALTER TABLE tenant_users ADD COLUMN delete_at BIGINT;
CREATE INDEX tenant_users_by_deletion ON tenant_users (delete_at) WHERE delete_at IS NOT NULL;
