-- Domains that organizations claim. Any number may claim one; it is proven by at most one organization of a tenant.
CREATE TABLE organization_domains (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    domain TEXT NOT NULL,
    challenge TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    verified_at BIGINT,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, organization_id, domain),
    FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX organization_domains_verified ON organization_domains (tenant_id, domain) WHERE status = 'verified';
