-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON sessions
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE refresh_families ENABLE ROW LEVEL SECURITY;
ALTER TABLE refresh_families FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON refresh_families
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE refresh_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE refresh_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON refresh_tokens
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE codes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON codes
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE revocations ENABLE ROW LEVEL SECURITY;
ALTER TABLE revocations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON revocations
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
