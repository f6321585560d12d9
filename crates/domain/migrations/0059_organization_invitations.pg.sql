-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE organization_invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE organization_invitations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON organization_invitations
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));

-- As for the other tables of tenants: most rows may be one tenant's.
ALTER TABLE organization_invitations ALTER COLUMN tenant_id SET (n_distinct = 1);
