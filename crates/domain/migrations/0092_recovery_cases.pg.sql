-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE recovery_cases ENABLE ROW LEVEL SECURITY;
ALTER TABLE recovery_cases FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON recovery_cases
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));

ALTER TABLE recovery_browsers ENABLE ROW LEVEL SECURITY;
ALTER TABLE recovery_browsers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON recovery_browsers
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));

ALTER TABLE recovery_answers ENABLE ROW LEVEL SECURITY;
ALTER TABLE recovery_answers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON recovery_answers
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));

-- As for the other tables of tenants: most rows may be one tenant's.
ALTER TABLE recovery_cases ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE recovery_browsers ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE recovery_answers ALTER COLUMN tenant_id SET (n_distinct = 1);
