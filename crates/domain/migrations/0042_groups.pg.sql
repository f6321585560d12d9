-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE user_groups ENABLE ROW LEVEL SECURITY;
ALTER TABLE user_groups FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON user_groups
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE user_groups ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE group_roles ENABLE ROW LEVEL SECURITY;
ALTER TABLE group_roles FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON group_roles
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE group_roles ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE group_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE group_members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON group_members
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE group_members ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE group_nesting ENABLE ROW LEVEL SECURITY;
ALTER TABLE group_nesting FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON group_nesting
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE group_nesting ALTER COLUMN tenant_id SET (n_distinct = 1);

-- Ordered by its bytes, so that the beginning of a name is a range of the index.
ALTER TABLE user_groups ADD COLUMN name_key TEXT COLLATE "C" GENERATED ALWAYS AS (lower(name COLLATE "C")) STORED;
CREATE INDEX user_groups_by_name ON user_groups (tenant_id, name_key, id);

-- A group with its own roles.
CREATE VIEW group_records AS
SELECT
    g.tenant_id, g.id, g.name, g.name_key, g.description, g.created_at, g.updated_at, g.version,
    (SELECT COALESCE(CAST(json_agg(r.role) AS text), '[]') FROM group_roles r WHERE r.tenant_id = g.tenant_id AND r.group_id = g.id) AS roles
FROM user_groups g;

-- A membership together with the account behind it, as every sign-in reads it; with the roles and the names of all groups that the
-- person is in, directly or by a group that is in another.
CREATE OR REPLACE VIEW people AS
SELECT
    u.tenant_id, u.id, u.account_id, u.subject, u.username, u.username_key, u.status, u.roles, u.created_at, u.updated_at,
    a.email, a.email_key, a.email_verified, a.profile, a.password, a.credentials_changed_at,
    a.status AS account_status, a.updated_at AS account_updated_at,
    (
        WITH RECURSIVE inside (id) AS (
            SELECT m.group_id FROM group_members m WHERE m.tenant_id = u.tenant_id AND m.tenant_user_id = u.id
            UNION SELECT n.group_id FROM inside JOIN group_nesting n ON n.tenant_id = u.tenant_id AND n.member_id = inside.id
        )
        SELECT COALESCE(CAST(json_agg(DISTINCT r.role) AS text), '[]') FROM inside JOIN group_roles r ON r.tenant_id = u.tenant_id AND r.group_id = inside.id
    ) AS group_roles,
    (
        WITH RECURSIVE inside (id) AS (
            SELECT m.group_id FROM group_members m WHERE m.tenant_id = u.tenant_id AND m.tenant_user_id = u.id
            UNION SELECT n.group_id FROM inside JOIN group_nesting n ON n.tenant_id = u.tenant_id AND n.member_id = inside.id
        )
        SELECT COALESCE(CAST(json_agg(g.name) AS text), '[]') FROM inside JOIN user_groups g ON g.tenant_id = u.tenant_id AND g.id = inside.id
    ) AS group_names
FROM tenant_users u JOIN accounts a ON a.id = u.account_id;
