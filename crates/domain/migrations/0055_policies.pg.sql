-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE policies ENABLE ROW LEVEL SECURITY;
ALTER TABLE policies FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON policies
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE policies ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE policy_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE policy_versions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON policy_versions
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE policy_versions ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE policy_sets ENABLE ROW LEVEL SECURITY;
ALTER TABLE policy_sets FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON policy_sets
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE policy_sets ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE policy_decisions ENABLE ROW LEVEL SECURITY;
ALTER TABLE policy_decisions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON policy_decisions
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE policy_decisions ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE policy_shadows ENABLE ROW LEVEL SECURITY;
ALTER TABLE policy_shadows FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON policy_shadows
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE policy_shadows ALTER COLUMN tenant_id SET (n_distinct = 1);

-- Made of the document by the engine, ordered by its bytes, so that the beginning of a name is a range of the index.
ALTER TABLE policies ADD COLUMN name_key TEXT COLLATE "C" GENERATED ALWAYS AS (lower((CAST(configuration AS json) ->> 'name') COLLATE "C")) STORED;
CREATE INDEX policies_by_name ON policies (tenant_id, name_key, id);
