-- What people are asked for beside their name and how they sign in.
CREATE TABLE sign_up_fields (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    -- The member of the metadata that keeps the answer.
    name TEXT NOT NULL,
    document TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- How often a person has signed in since the tenant asks for something later, and when they last put it off.
CREATE TABLE sign_up_field_asks (
    tenant_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    sign_ins BIGINT NOT NULL,
    put_off_at BIGINT,
    PRIMARY KEY (tenant_id, tenant_user_id),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);
