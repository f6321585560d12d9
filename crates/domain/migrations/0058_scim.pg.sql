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
ALTER TABLE scim_groups ENABLE ROW LEVEL SECURITY;
ALTER TABLE scim_groups FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON scim_groups
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE scim_groups ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE scim_group_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE scim_group_members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON scim_group_members
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE scim_group_members ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE scim_group_roles ENABLE ROW LEVEL SECURITY;
ALTER TABLE scim_group_roles FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON scim_group_roles
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE scim_group_roles ALTER COLUMN tenant_id SET (n_distinct = 1);

-- A provisioned person with the standing of the membership and the groups of the directory.
CREATE VIEW scim_user_records AS
SELECT
    s.tenant_id, s.organization_id, s.id, s.user_name_key, s.external_id, s.document, s.created_at, s.updated_at, s.version,
    u.status, u.updated_at AS member_updated_at, u.version AS member_version,
    (
        SELECT COALESCE(CAST(json_agg(json_build_object('id', g.id, 'display', g.display_name)) AS text), '[]') FROM scim_group_members m
        JOIN scim_groups g ON g.tenant_id = m.tenant_id AND g.organization_id = m.organization_id AND g.id = m.group_id
        WHERE m.tenant_id = s.tenant_id AND m.organization_id = s.organization_id AND m.user_id = s.id
    ) AS group_list
FROM scim_users s CROSS JOIN LATERAL (
    -- One membership, looked up by its key for each person of a page, however few the planner expects.
    SELECT m.status, m.updated_at, m.version FROM tenant_users m WHERE m.tenant_id = s.tenant_id AND m.id = s.id LIMIT 1
) u;

-- A group of a directory with the roles that the tenant gives to its people.
CREATE VIEW scim_group_records AS
SELECT
    g.tenant_id, g.organization_id, g.id, g.display_name, g.name_key, g.external_id, g.document, g.created_at, g.updated_at, g.version,
    (
        SELECT COALESCE(CAST(json_agg(r.role) AS text), '[]') FROM scim_group_roles r
        WHERE r.tenant_id = g.tenant_id AND r.organization_id = g.organization_id AND r.group_id = g.id
    ) AS roles
FROM scim_groups g;

-- A member of an organization with the roles there: those of its own, and with them those that groups of the directory give.
CREATE OR REPLACE VIEW organization_records AS
SELECT
    m.tenant_id, m.organization_id, m.tenant_user_id, m.created_at, m.updated_at, m.version, u.status,
    (
        SELECT COALESCE(CAST(json_agg(r.role) AS text), '[]') FROM organization_roles r
        WHERE r.tenant_id = m.tenant_id AND r.organization_id = m.organization_id AND r.tenant_user_id = m.tenant_user_id
    ) AS roles,
    (
        SELECT COALESCE(CAST(json_agg(r.role) AS text), '[]') FROM (
            SELECT o.role FROM organization_roles o
            WHERE o.tenant_id = m.tenant_id AND o.organization_id = m.organization_id AND o.tenant_user_id = m.tenant_user_id
            UNION SELECT g.role FROM scim_group_members p JOIN scim_group_roles g
                ON g.tenant_id = p.tenant_id AND g.organization_id = p.organization_id AND g.group_id = p.group_id
            WHERE p.tenant_id = m.tenant_id AND p.organization_id = m.organization_id AND p.user_id = m.tenant_user_id
        ) r
    ) AS held_roles
FROM organization_members m JOIN tenant_users u ON u.tenant_id = m.tenant_id AND u.id = m.tenant_user_id;
