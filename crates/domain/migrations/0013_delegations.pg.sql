-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE delegations ENABLE ROW LEVEL SECURITY;
ALTER TABLE delegations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON delegations
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE trusted_issuers ENABLE ROW LEVEL SECURITY;
ALTER TABLE trusted_issuers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON trusted_issuers
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE trusted_subjects ENABLE ROW LEVEL SECURITY;
ALTER TABLE trusted_subjects FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON trusted_subjects
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE spent_assertions ENABLE ROW LEVEL SECURITY;
ALTER TABLE spent_assertions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON spent_assertions
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
