-- Domains that tenants want to answer at. Any number of tenants may ask for one; that one tenant alone answers at it is the
-- constraint of tenants.custom_domain.
CREATE TABLE custom_domains (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    domain TEXT NOT NULL,
    challenge TEXT NOT NULL,
    status TEXT NOT NULL,
    -- The subject of the person who asked for it, who is told when its proof is gone.
    owner TEXT,
    created_at BIGINT NOT NULL,
    verified_at BIGINT,
    activated_at BIGINT,
    checked_at BIGINT NOT NULL,
    failing_since BIGINT,
    failures BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, domain)
);
CREATE INDEX custom_domains_by_check ON custom_domains (status, checked_at);
