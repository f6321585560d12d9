-- What a tenant's people may have: a name, and permissions, which are scopes of APIs.
CREATE TABLE roles (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    configuration TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);
-- Every node asks each second which roles have changed.
CREATE INDEX roles_by_update ON roles (updated_at);

-- Who has a role. Made of `tenant_users.roles` by the engine: whichever version writes a membership, its roles are found here.
CREATE TABLE role_members (
    tenant_id TEXT NOT NULL,
    role TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, role, tenant_user_id),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX role_members_by_user ON role_members (tenant_id, tenant_user_id);
