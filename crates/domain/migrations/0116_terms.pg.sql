-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE terms ENABLE ROW LEVEL SECURITY;
ALTER TABLE terms FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON terms
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE terms ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE terms_acceptances ENABLE ROW LEVEL SECURITY;
ALTER TABLE terms_acceptances FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON terms_acceptances
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE terms_acceptances ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE intake_sets ENABLE ROW LEVEL SECURITY;
ALTER TABLE intake_sets FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON intake_sets
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE intake_sets ALTER COLUMN tenant_id SET (n_distinct = 1);
