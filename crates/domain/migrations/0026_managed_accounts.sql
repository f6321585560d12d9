-- The tenant that created an account, as long as no other tenant has it as a member: that tenant may change its credentials.
ALTER TABLE accounts ADD COLUMN managed_by TEXT;
-- A page of what one person has allowed.
CREATE INDEX consents_by_user ON consents (tenant_id, tenant_user_id, id);
-- A page of the members of one status.
CREATE INDEX tenant_users_by_status ON tenant_users (tenant_id, status, id);
