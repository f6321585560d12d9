-- Customers of a tenant: people who belong together, each with roles of its own there.
CREATE TABLE organizations (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    slug TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
    owner_id TEXT NOT NULL,
    configuration TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, slug),
    FOREIGN KEY (tenant_id, owner_id) REFERENCES tenant_users (tenant_id, id)
);
CREATE INDEX organizations_by_owner ON organizations (tenant_id, owner_id);

CREATE TABLE organization_members (
    tenant_id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, organization_id, tenant_user_id),
    FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX organization_members_by_user ON organization_members (tenant_id, tenant_user_id, organization_id);

CREATE TABLE organization_roles (
    tenant_id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    role TEXT NOT NULL,
    PRIMARY KEY (tenant_id, organization_id, tenant_user_id, role),
    FOREIGN KEY (tenant_id, organization_id, tenant_user_id)
        REFERENCES organization_members (tenant_id, organization_id, tenant_user_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, role) REFERENCES roles (tenant_id, name)
);
CREATE INDEX organization_roles_by_role ON organization_roles (tenant_id, role);
