-- What lists of tenant users are searched by: a row for each membership that is not removed, which the engine keeps as the membership
-- and its account are, whichever version of the service writes those. The account belongs to the deployment, so an index of its own
-- would be searched through for all tenants together.
CREATE TABLE tenant_user_names (
    tenant_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    status TEXT NOT NULL,
    -- In small letters; empty where there is none.
    email_key TEXT NOT NULL,
    username_key TEXT NOT NULL,
    -- The first 320 characters of the full name. Empty as long as the person has not agreed to the membership.
    name_key TEXT NOT NULL,
    PRIMARY KEY (tenant_id, tenant_user_id),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id) ON DELETE CASCADE
);
