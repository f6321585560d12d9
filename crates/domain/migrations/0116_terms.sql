-- Versions of documents that people accept, such as terms of service.
CREATE TABLE terms (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    -- Which document, and what the version is called.
    terms_key TEXT NOT NULL,
    label TEXT NOT NULL,
    effective_at BIGINT NOT NULL,
    document TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, terms_key, label),
    UNIQUE (tenant_id, terms_key, effective_at)
);

-- What people accepted. The document repeats what they were shown: the evidence stays when a version is deleted.
CREATE TABLE terms_acceptances (
    tenant_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    terms_id TEXT NOT NULL,
    accepted_at BIGINT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tenant_id, tenant_user_id, terms_id),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);

-- Rises with every change of what people of a tenant are asked for: a deleted record leaves no row to see.
CREATE TABLE intake_sets (
    tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
    generation BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX intake_sets_by_change ON intake_sets (updated_at);
