-- Guests: people who have not said who they are. When one was last used, to the hour, and by which application it came.
ALTER TABLE tenant_users ADD COLUMN guest_used_at BIGINT;
ALTER TABLE tenant_users ADD COLUMN guest_app_id TEXT;
CREATE INDEX tenant_users_by_guest_use ON tenant_users (guest_used_at) WHERE guest_used_at IS NOT NULL;
CREATE INDEX tenant_users_of_guests ON tenant_users (tenant_id, id) WHERE guest_used_at IS NOT NULL;

-- A membership together with the account behind it, as every sign-in reads it; with the roles and the names of all groups that the
-- person is in, directly or by a group that is in another, and what the tenant notes of the person.
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
    ) AS group_names,
    u.metadata, u.guest_used_at
FROM tenant_users u JOIN accounts a ON a.id = u.account_id;
