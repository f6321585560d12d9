-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE scim_schemas ENABLE ROW LEVEL SECURITY;
ALTER TABLE scim_schemas FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON scim_schemas
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE scim_schemas ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE scim_user_values ENABLE ROW LEVEL SECURITY;
ALTER TABLE scim_user_values FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON scim_user_values
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE scim_user_values ALTER COLUMN tenant_id SET (n_distinct = 1);
