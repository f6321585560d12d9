-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE organizations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON organizations
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE organizations ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE organization_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE organization_members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON organization_members
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE organization_members ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE organization_roles ENABLE ROW LEVEL SECURITY;
ALTER TABLE organization_roles FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON organization_roles
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE organization_roles ALTER COLUMN tenant_id SET (n_distinct = 1);

-- Made of the document by the engine, ordered by its bytes, so that the beginning of a name is a range of the index.
ALTER TABLE organizations ADD COLUMN name_key TEXT COLLATE "C" GENERATED ALWAYS AS (lower((CAST(configuration AS json) ->> 'name') COLLATE "C")) STORED;
CREATE INDEX organizations_by_name ON organizations (tenant_id, name_key, id);

-- A member of an organization with the roles there.
CREATE VIEW organization_records AS
SELECT
    m.tenant_id, m.organization_id, m.tenant_user_id, m.created_at, m.updated_at, m.version, u.status,
    (
        SELECT COALESCE(CAST(json_agg(r.role) AS text), '[]') FROM organization_roles r
        WHERE r.tenant_id = m.tenant_id AND r.organization_id = m.organization_id AND r.tenant_user_id = m.tenant_user_id
    ) AS roles
FROM organization_members m JOIN tenant_users u ON u.tenant_id = m.tenant_id AND u.id = m.tenant_user_id;
