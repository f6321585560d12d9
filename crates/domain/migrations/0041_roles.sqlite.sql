ALTER TABLE roles ADD COLUMN name_key TEXT GENERATED ALWAYS AS (lower(name)) VIRTUAL;
CREATE INDEX roles_by_name ON roles (tenant_id, name_key, id);

CREATE TRIGGER tenant_users_made AFTER INSERT ON tenant_users WHEN NEW.roles <> '[]' BEGIN
    INSERT INTO role_members (tenant_id, role, tenant_user_id)
        SELECT DISTINCT NEW.tenant_id, value, NEW.id FROM json_each(NEW.roles);
END;
CREATE TRIGGER tenant_users_roles_changed AFTER UPDATE OF roles ON tenant_users WHEN OLD.roles <> NEW.roles BEGIN
    DELETE FROM role_members WHERE tenant_id = NEW.tenant_id AND tenant_user_id = NEW.id;
    INSERT INTO role_members (tenant_id, role, tenant_user_id)
        SELECT DISTINCT NEW.tenant_id, value, NEW.id FROM json_each(NEW.roles);
END;

INSERT INTO role_members (tenant_id, role, tenant_user_id)
    SELECT DISTINCT u.tenant_id, held.value, u.id FROM tenant_users u, json_each(u.roles) AS held;

-- Every tenant has administrators; and a role that members have had by its name alone becomes a record. The ids are as old as can be.
INSERT INTO roles (tenant_id, id, name, configuration, created_at, updated_at, version)
    SELECT named.tenant_id, 'rol_0000000000' || lower(hex(randomblob(8))), named.name, '{}', 0, 0, 1
    FROM (SELECT id AS tenant_id, 'admin' AS name FROM tenants UNION SELECT tenant_id, role FROM role_members) AS named;
