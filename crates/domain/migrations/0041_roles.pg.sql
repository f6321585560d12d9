-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE roles ENABLE ROW LEVEL SECURITY;
ALTER TABLE roles FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON roles
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE role_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE role_members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON role_members
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE roles ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE role_members ALTER COLUMN tenant_id SET (n_distinct = 1);

-- Ordered by its bytes, so that the beginning of a name is a range of the index.
ALTER TABLE roles ADD COLUMN name_key TEXT COLLATE "C" GENERATED ALWAYS AS (lower(name COLLATE "C")) STORED;
CREATE INDEX roles_by_name ON roles (tenant_id, name_key, id);

CREATE FUNCTION keep_role_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM role_members WHERE tenant_id = NEW.tenant_id AND tenant_user_id = NEW.id;
    INSERT INTO role_members (tenant_id, role, tenant_user_id)
        SELECT DISTINCT NEW.tenant_id, held.role, NEW.id
        FROM json_array_elements_text(CAST(NEW.roles AS json)) AS held (role);
    RETURN NULL;
END $$;
CREATE TRIGGER tenant_users_made AFTER INSERT ON tenant_users
    FOR EACH ROW WHEN (NEW.roles <> '[]') EXECUTE FUNCTION keep_role_members();
CREATE TRIGGER tenant_users_roles_changed AFTER UPDATE OF roles ON tenant_users
    FOR EACH ROW WHEN (OLD.roles <> NEW.roles) EXECUTE FUNCTION keep_role_members();

INSERT INTO role_members (tenant_id, role, tenant_user_id)
    SELECT DISTINCT u.tenant_id, held.role, u.id
    FROM tenant_users u CROSS JOIN json_array_elements_text(CAST(u.roles AS json)) AS held (role);

-- Every tenant has administrators; and a role that members have had by its name alone becomes a record. The ids are as old as can be.
INSERT INTO roles (tenant_id, id, name, configuration, created_at, updated_at, version)
    SELECT named.tenant_id, 'rol_0000000000' || substr(md5(named.tenant_id || named.name), 1, 16), named.name, '{}', 0, 0, 1
    FROM (SELECT id AS tenant_id, 'admin' AS name FROM tenants UNION SELECT tenant_id, role FROM role_members) AS named;
