-- Without statistics PostgreSQL takes each index that begins with tenant and organization for as good as the one that has all that a
-- look-up names, prefers the newest of them, and reads the whole directory to find one person, also for each reference to one. Of these
-- indexes the key alone begins so from now on. SQLite takes the one of most columns, and could drop a constraint only by copying the table.

-- All or none, and without waiting for long: others hold one of them and wait for another.
DO $$
DECLARE
    kept RECORD;
BEGIN
    PERFORM set_config('lock_timeout', '50ms', true);
    LOOP
        BEGIN
            LOCK TABLE scim_users, scim_user_emails, scim_group_members IN ACCESS EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.05);
        END;
    END LOOP;
    PERFORM set_config('lock_timeout', '0', true);
    FOR kept IN SELECT c.conname FROM pg_constraint c WHERE c.contype = 'u' AND c.conrelid = to_regclass('scim_users') AND EXISTS (
        SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
        AND a.attname IN ('user_name_key', 'external_id')
    ) LOOP
        EXECUTE format('ALTER TABLE scim_users DROP CONSTRAINT %I', kept.conname);
    END LOOP;
END
$$;

CREATE UNIQUE INDEX scim_users_by_user_name ON scim_users (user_name_key, tenant_id, organization_id);
CREATE UNIQUE INDEX scim_users_by_external_id ON scim_users (external_id, tenant_id, organization_id);
DROP INDEX scim_user_emails_by_user;
CREATE INDEX scim_user_emails_by_user ON scim_user_emails (user_id, tenant_id, organization_id);
DROP INDEX scim_group_members_by_user;
CREATE INDEX scim_group_members_by_user ON scim_group_members (user_id, tenant_id, organization_id);
