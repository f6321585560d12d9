-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE connectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE connectors FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON connectors
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE connectors ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE connector_sets ENABLE ROW LEVEL SECURITY;
ALTER TABLE connector_sets FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON connector_sets
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE connector_sets ALTER COLUMN tenant_id SET (n_distinct = 1);
