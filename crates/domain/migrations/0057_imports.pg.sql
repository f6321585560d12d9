-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE imports ENABLE ROW LEVEL SECURITY;
ALTER TABLE imports FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON imports
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE imports ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE import_chunks ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_chunks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON import_chunks
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE import_chunks ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE imported_people ENABLE ROW LEVEL SECURITY;
ALTER TABLE imported_people FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON imported_people
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE imported_people ALTER COLUMN tenant_id SET (n_distinct = 1);
