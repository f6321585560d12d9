-- Applications, the APIs that they call, and what people have allowed them.
CREATE TABLE apps (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    handle TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    secret_digest BYTEA,
    configuration TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, handle)
);

-- Whose scripts may call the token and UserInfo endpoints (CORS).
CREATE TABLE app_origins (
    tenant_id TEXT NOT NULL,
    app_id TEXT NOT NULL,
    origin TEXT NOT NULL,
    PRIMARY KEY (tenant_id, origin, app_id),
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE apis (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    identifier TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    configuration TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, identifier)
);

CREATE TABLE consents (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    app_id TEXT NOT NULL,
    audience TEXT NOT NULL,
    scope TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, tenant_user_id, app_id, audience),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id),
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE
);
