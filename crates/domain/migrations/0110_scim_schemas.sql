-- Schema extensions that a tenant declares for its provisioned people (RFC 7643 §7).
CREATE TABLE scim_schemas (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    urn TEXT NOT NULL,
    -- URN and name in the one form under which they are unique.
    urn_key TEXT NOT NULL,
    name_key TEXT NOT NULL,
    document TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, urn_key),
    UNIQUE (tenant_id, name_key)
);

-- Which values people have of the attributes of such a schema: digests, by which values are unique and a change that would break them
-- is refused. The values themselves stand in the document of the person. The row without an attribute says that the person has the extension.
CREATE TABLE scim_user_values (
    tenant_id TEXT NOT NULL,
    schema_id TEXT NOT NULL,
    attribute_key TEXT NOT NULL,
    value_digest BYTEA NOT NULL,
    organization_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    -- The organization, or nothing at all, within which the value is unique; null where it is not.
    unique_within TEXT,
    PRIMARY KEY (tenant_id, schema_id, attribute_key, value_digest, organization_id, user_id),
    UNIQUE (tenant_id, schema_id, attribute_key, unique_within, value_digest),
    FOREIGN KEY (tenant_id, schema_id) REFERENCES scim_schemas (tenant_id, id),
    FOREIGN KEY (tenant_id, organization_id, user_id)
        REFERENCES scim_users (tenant_id, organization_id, id) ON DELETE CASCADE
);
CREATE INDEX scim_user_values_by_user ON scim_user_values (tenant_id, organization_id, user_id);
