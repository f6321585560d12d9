ALTER TABLE device_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE device_codes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON device_codes
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE ciba_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE ciba_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON ciba_requests
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
