-- Texts by which tenants and organizations replace those of hosted pages and mails; null where they replace none.
ALTER TABLE tenants ADD COLUMN texts TEXT;
ALTER TABLE organizations ADD COLUMN texts TEXT;

-- Rises with every change of how a tenant's organizations look: a deleted one leaves no row to see.
CREATE TABLE look_sets (
    tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
    generation BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX look_sets_by_change ON look_sets (updated_at);
