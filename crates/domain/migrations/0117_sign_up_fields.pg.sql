-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE sign_up_fields ENABLE ROW LEVEL SECURITY;
ALTER TABLE sign_up_fields FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON sign_up_fields
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE sign_up_fields ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE sign_up_field_asks ENABLE ROW LEVEL SECURITY;
ALTER TABLE sign_up_field_asks FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON sign_up_field_asks
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE sign_up_field_asks ALTER COLUMN tenant_id SET (n_distinct = 1);
