-- A rotated secret of an application stays valid next to the new one until it expires: two at a time.
ALTER TABLE apps ADD COLUMN secret_created_at BIGINT;
ALTER TABLE apps ADD COLUMN secret_used_at BIGINT;
ALTER TABLE apps ADD COLUMN former_secret_digest BYTEA;
ALTER TABLE apps ADD COLUMN former_secret_created_at BIGINT;
ALTER TABLE apps ADD COLUMN former_secret_used_at BIGINT;
ALTER TABLE apps ADD COLUMN former_secret_expires_at BIGINT;
