-- People brought from other systems: how far each import is, and what it answered to each of its chunks.
CREATE TABLE imports (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    configuration TEXT NOT NULL,
    counts TEXT NOT NULL,
    chunks BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX imports_by_update ON imports (updated_at);

CREATE TABLE import_chunks (
    tenant_id TEXT NOT NULL,
    import_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    outcome TEXT NOT NULL,
    PRIMARY KEY (tenant_id, import_id, number),
    FOREIGN KEY (tenant_id, import_id) REFERENCES imports (tenant_id, id) ON DELETE CASCADE
);

-- What the other system knew of a member and this one has no place for yet.
CREATE TABLE imported_people (
    tenant_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    source TEXT NOT NULL,
    -- What the other system calls the person.
    external_id TEXT,
    document TEXT NOT NULL,
    -- Second factors and passkeys, for when they can be taken over.
    sealed_factors BYTEA,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, tenant_user_id),
    UNIQUE (tenant_id, source, external_id),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id) ON DELETE CASCADE
);
