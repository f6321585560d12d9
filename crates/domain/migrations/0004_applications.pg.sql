-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE apps ENABLE ROW LEVEL SECURITY;
ALTER TABLE apps FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON apps
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE app_origins ENABLE ROW LEVEL SECURITY;
ALTER TABLE app_origins FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON app_origins
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE apis ENABLE ROW LEVEL SECURITY;
ALTER TABLE apis FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON apis
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE consents ENABLE ROW LEVEL SECURITY;
ALTER TABLE consents FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON consents
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
