-- The organization to which a key belongs, and with which it ends.
ALTER TABLE api_keys ADD COLUMN organization_id TEXT;
CREATE INDEX api_keys_by_organization ON api_keys (tenant_id, organization_id, id) WHERE organization_id IS NOT NULL;
