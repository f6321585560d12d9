-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE organization_subjects ENABLE ROW LEVEL SECURITY;
ALTER TABLE organization_subjects FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON organization_subjects
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE organization_subjects ALTER COLUMN tenant_id SET (n_distinct = 1);
