-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE registration_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE registration_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON registration_tokens
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE registrations ENABLE ROW LEVEL SECURITY;
ALTER TABLE registrations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON registrations
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE pairwise_subjects ENABLE ROW LEVEL SECURITY;
ALTER TABLE pairwise_subjects FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON pairwise_subjects
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
