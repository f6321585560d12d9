-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE guardians ENABLE ROW LEVEL SECURITY;
ALTER TABLE guardians FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON guardians
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));

ALTER TABLE guardian_rules ENABLE ROW LEVEL SECURITY;
ALTER TABLE guardian_rules FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON guardian_rules
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));

-- As for the other tables of tenants: most rows may be one tenant's.
ALTER TABLE guardians ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE guardian_rules ALTER COLUMN tenant_id SET (n_distinct = 1);
