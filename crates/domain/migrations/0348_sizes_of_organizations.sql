-- How many members an organization has had in all: counting them for each that joins would read them all. Triggers write it, also for a
-- version that knows nothing of it, so that those who join at once take turns for the row.
CREATE TABLE organization_sizes (
    tenant_id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    members BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, organization_id),
    FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);
