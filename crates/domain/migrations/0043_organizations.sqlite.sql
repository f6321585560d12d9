-- Made of the document by the engine.
ALTER TABLE organizations ADD COLUMN name_key TEXT GENERATED ALWAYS AS (lower(json_extract(configuration, '$.name'))) VIRTUAL;
CREATE INDEX organizations_by_name ON organizations (tenant_id, name_key, id);

-- A member of an organization with the roles there.
CREATE VIEW organization_records AS
SELECT
    m.tenant_id, m.organization_id, m.tenant_user_id, m.created_at, m.updated_at, m.version, u.status,
    (
        SELECT json_group_array(r.role) FROM organization_roles r
        WHERE r.tenant_id = m.tenant_id AND r.organization_id = m.organization_id AND r.tenant_user_id = m.tenant_user_id
    ) AS roles
FROM organization_members m JOIN tenant_users u ON u.tenant_id = m.tenant_id AND u.id = m.tenant_user_id;
