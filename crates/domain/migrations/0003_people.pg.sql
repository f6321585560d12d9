-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE tenant_users ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenant_users FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON tenant_users
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE links ENABLE ROW LEVEL SECURITY;
ALTER TABLE links FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON links
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE mails ENABLE ROW LEVEL SECURITY;
ALTER TABLE mails FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON mails
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
