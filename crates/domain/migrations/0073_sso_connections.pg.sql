-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE sso_connections ENABLE ROW LEVEL SECURITY;
ALTER TABLE sso_connections FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON sso_connections
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE sso_connections ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE sso_identities ENABLE ROW LEVEL SECURITY;
ALTER TABLE sso_identities FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON sso_identities
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE sso_identities ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE sso_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE sso_sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON sso_sessions
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE sso_sessions ALTER COLUMN tenant_id SET (n_distinct = 1);
