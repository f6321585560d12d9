-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE scim_targets ENABLE ROW LEVEL SECURITY;
ALTER TABLE scim_targets FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON scim_targets
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE scim_targets ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE scim_target_people ENABLE ROW LEVEL SECURITY;
ALTER TABLE scim_target_people FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON scim_target_people
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE scim_target_people ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE scim_links ENABLE ROW LEVEL SECURITY;
ALTER TABLE scim_links FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON scim_links
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE scim_links ALTER COLUMN tenant_id SET (n_distinct = 1);
