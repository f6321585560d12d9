-- Whose key it is; every tenant's where it is null. The system alone reads this table, as every process needs all keys.
-- The first key of a tenant names the tenant as its predecessor, so that of several nodes one makes it.
ALTER TABLE signing_keys ADD COLUMN of_tenant TEXT REFERENCES tenants (id);
-- When a tenant last said that it signs with keys of its own; null where it does not.
ALTER TABLE tenants ADD COLUMN own_keys_wanted_at BIGINT;
CREATE INDEX tenants_with_own_keys ON tenants (id) WHERE own_keys_wanted_at IS NOT NULL;
