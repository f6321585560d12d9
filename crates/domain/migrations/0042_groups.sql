-- People who have roles together. A group may be in groups, and its people then have the roles of those too.
CREATE TABLE user_groups (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

CREATE TABLE group_roles (
    tenant_id TEXT NOT NULL,
    group_id TEXT NOT NULL,
    role TEXT NOT NULL,
    PRIMARY KEY (tenant_id, group_id, role),
    FOREIGN KEY (tenant_id, group_id) REFERENCES user_groups (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, role) REFERENCES roles (tenant_id, name)
);
CREATE INDEX group_roles_by_role ON group_roles (tenant_id, role);

CREATE TABLE group_members (
    tenant_id TEXT NOT NULL,
    group_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, group_id, tenant_user_id),
    FOREIGN KEY (tenant_id, group_id) REFERENCES user_groups (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX group_members_by_user ON group_members (tenant_id, tenant_user_id);

-- The groups in a group; that none is in itself by a detour is checked where they are written.
CREATE TABLE group_nesting (
    tenant_id TEXT NOT NULL,
    group_id TEXT NOT NULL,
    member_id TEXT NOT NULL CHECK (member_id <> group_id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, group_id, member_id),
    FOREIGN KEY (tenant_id, group_id) REFERENCES user_groups (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, member_id) REFERENCES user_groups (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX group_nesting_by_member ON group_nesting (tenant_id, member_id);
