-- Tokens with which the directories of organizations provision people (RFC 7644).
CREATE TABLE scim_tokens (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BYTEA NOT NULL,
    -- The secret before a rotation, until it ends.
    former_digest BYTEA,
    former_expires_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    last_used_at BIGINT,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, digest),
    UNIQUE (tenant_id, former_digest),
    FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX scim_tokens_by_organization ON scim_tokens (tenant_id, organization_id, id);
CREATE INDEX scim_tokens_expiry ON scim_tokens (expires_at);

-- What the directory of an organization says of a person whom it provisioned. It ends with the membership of the organization, and one
-- directory alone speaks for a person.
CREATE TABLE scim_users (
    tenant_id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    id TEXT NOT NULL,
    -- The sign-in name in the one form under which it is unique.
    user_name_key TEXT NOT NULL,
    external_id TEXT,
    document TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, organization_id, id),
    UNIQUE (tenant_id, id),
    UNIQUE (tenant_id, organization_id, user_name_key),
    UNIQUE (tenant_id, organization_id, external_id),
    FOREIGN KEY (tenant_id, organization_id, id)
        REFERENCES organization_members (tenant_id, organization_id, tenant_user_id) ON DELETE CASCADE
);

-- By which addresses a directory looks people up.
CREATE TABLE scim_user_emails (
    tenant_id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    value_key TEXT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, organization_id, value_key, user_id),
    FOREIGN KEY (tenant_id, organization_id, user_id)
        REFERENCES scim_users (tenant_id, organization_id, id) ON DELETE CASCADE
);
CREATE INDEX scim_user_emails_by_user ON scim_user_emails (tenant_id, organization_id, user_id);

-- A group of the directory of an organization.
CREATE TABLE scim_groups (
    tenant_id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    id TEXT NOT NULL,
    display_name TEXT NOT NULL,
    -- The name in the one form by which it is found; directories may have several groups of one name.
    name_key TEXT NOT NULL,
    external_id TEXT,
    document TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, organization_id, id),
    UNIQUE (tenant_id, id),
    UNIQUE (tenant_id, organization_id, external_id),
    FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX scim_groups_by_name ON scim_groups (tenant_id, organization_id, name_key, id);

CREATE TABLE scim_group_members (
    tenant_id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    group_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, organization_id, group_id, user_id),
    FOREIGN KEY (tenant_id, organization_id, group_id)
        REFERENCES scim_groups (tenant_id, organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, organization_id, user_id)
        REFERENCES scim_users (tenant_id, organization_id, id) ON DELETE CASCADE
);
CREATE INDEX scim_group_members_by_user ON scim_group_members (tenant_id, organization_id, user_id);

-- The roles in the organization that the tenant gives to the people of a directory's group.
CREATE TABLE scim_group_roles (
    tenant_id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    group_id TEXT NOT NULL,
    role TEXT NOT NULL,
    PRIMARY KEY (tenant_id, organization_id, group_id, role),
    FOREIGN KEY (tenant_id, organization_id, group_id)
        REFERENCES scim_groups (tenant_id, organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, role) REFERENCES roles (tenant_id, name)
);
CREATE INDEX scim_group_roles_by_role ON scim_group_roles (tenant_id, role);
