ALTER TABLE user_groups ADD COLUMN name_key TEXT GENERATED ALWAYS AS (lower(name)) VIRTUAL;
CREATE INDEX user_groups_by_name ON user_groups (tenant_id, name_key, id);

-- A group with its own roles.
CREATE VIEW group_records AS
SELECT
    g.tenant_id, g.id, g.name, g.name_key, g.description, g.created_at, g.updated_at, g.version,
    (SELECT json_group_array(r.role) FROM group_roles r WHERE r.tenant_id = g.tenant_id AND r.group_id = g.id) AS roles
FROM user_groups g;

-- A membership together with the account behind it, as every sign-in reads it; with the roles and the names of all groups that the
-- person is in, directly or by a group that is in another.
DROP VIEW people;
CREATE VIEW people AS
SELECT
    u.tenant_id, u.id, u.account_id, u.subject, u.username, u.username_key, u.status, u.roles, u.created_at, u.updated_at,
    a.email, a.email_key, a.email_verified, a.profile, a.password, a.credentials_changed_at,
    a.status AS account_status, a.updated_at AS account_updated_at,
    (
        WITH RECURSIVE inside (id) AS (
            SELECT m.group_id FROM group_members m WHERE m.tenant_id = u.tenant_id AND m.tenant_user_id = u.id
            UNION SELECT n.group_id FROM inside JOIN group_nesting n ON n.tenant_id = u.tenant_id AND n.member_id = inside.id
        )
        SELECT json_group_array(DISTINCT r.role) FROM inside JOIN group_roles r ON r.tenant_id = u.tenant_id AND r.group_id = inside.id
    ) AS group_roles,
    (
        WITH RECURSIVE inside (id) AS (
            SELECT m.group_id FROM group_members m WHERE m.tenant_id = u.tenant_id AND m.tenant_user_id = u.id
            UNION SELECT n.group_id FROM inside JOIN group_nesting n ON n.tenant_id = u.tenant_id AND n.member_id = inside.id
        )
        SELECT json_group_array(g.name) FROM inside JOIN user_groups g ON g.tenant_id = u.tenant_id AND g.id = inside.id
    ) AS group_names
FROM tenant_users u JOIN accounts a ON a.id = u.account_id;
