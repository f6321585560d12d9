-- The organization that something was allowed for: it ends with the person's membership there, or with the organization.
ALTER TABLE codes ADD COLUMN organization_id TEXT;
ALTER TABLE device_codes ADD COLUMN organization_id TEXT;
ALTER TABLE ciba_requests ADD COLUMN organization_id TEXT;
ALTER TABLE refresh_families ADD COLUMN organization_id TEXT;
ALTER TABLE delegations ADD COLUMN organization_id TEXT;
CREATE INDEX codes_by_organization ON codes (tenant_id, organization_id, tenant_user_id) WHERE organization_id IS NOT NULL;
CREATE INDEX device_codes_by_organization ON device_codes (tenant_id, organization_id, tenant_user_id)
    WHERE organization_id IS NOT NULL;
CREATE INDEX ciba_requests_by_organization ON ciba_requests (tenant_id, organization_id, tenant_user_id)
    WHERE organization_id IS NOT NULL;
CREATE INDEX refresh_families_by_organization ON refresh_families (tenant_id, organization_id, tenant_user_id)
    WHERE organization_id IS NOT NULL;
CREATE INDEX delegations_by_organization ON delegations (tenant_id, organization_id, tenant_user_id)
    WHERE organization_id IS NOT NULL;

-- The organization that the person of a session chose last.
ALTER TABLE sessions ADD COLUMN organization_id TEXT;
