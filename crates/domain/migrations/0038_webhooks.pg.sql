-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE event_positions ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_positions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON event_positions
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON events
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE webhooks ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhooks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON webhooks
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE webhook_attempts ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_attempts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON webhook_attempts
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE events ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE webhooks ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE webhook_attempts ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE event_positions ALTER COLUMN tenant_id SET (n_distinct = 1);
