-- The tenant that created an account, as long as no other tenant has it as a member: that tenant may change its credentials.
ALTER TABLE accounts ADD COLUMN managed_by TEXT;
-- A page of what one person has allowed.
CREATE INDEX consents_by_user ON consents (tenant_id, tenant_user_id, id);
