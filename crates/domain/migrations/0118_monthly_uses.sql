-- How often a tenant has done what its plan limits by the month (of UTC, such as 2027-01).
CREATE TABLE monthly_uses (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    month TEXT NOT NULL,
    used BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, name, month)
);
CREATE INDEX monthly_uses_by_age ON monthly_uses (updated_at);
