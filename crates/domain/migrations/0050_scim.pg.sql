-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE scim_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE scim_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON scim_tokens
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE scim_tokens ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE scim_users ENABLE ROW LEVEL SECURITY;
ALTER TABLE scim_users FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON scim_users
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE scim_users ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE scim_user_emails ENABLE ROW LEVEL SECURITY;
ALTER TABLE scim_user_emails FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON scim_user_emails
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE scim_user_emails ALTER COLUMN tenant_id SET (n_distinct = 1);
