-- Authorization details (RFC 9396) that a person has allowed, by digest.
CREATE TABLE consented_details (
    tenant_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    app_id TEXT NOT NULL,
    audience TEXT NOT NULL,
    digest TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, tenant_user_id, app_id, audience, digest),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id),
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX consented_details_by_age ON consented_details (created_at);
