-- How many members an organization has had in all: counting them for each that joins would read them all. Triggers write it, also for a
-- version that knows nothing of it, so that those who join at once take turns for the row.
CREATE TABLE organization_sizes (
    tenant_id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    members BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, organization_id),
    FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);

INSERT INTO organization_sizes (tenant_id, organization_id, members)
    SELECT tenant_id, organization_id, COUNT(*) FROM organization_members GROUP BY tenant_id, organization_id;

CREATE TRIGGER organization_members_joined AFTER INSERT ON organization_members BEGIN
    INSERT INTO organization_sizes (tenant_id, organization_id, members) VALUES (NEW.tenant_id, NEW.organization_id, 1)
        ON CONFLICT (tenant_id, organization_id) DO UPDATE SET members = members + 1;
END;
CREATE TRIGGER organization_members_left AFTER DELETE ON organization_members BEGIN
    UPDATE organization_sizes SET members = members - 1
        WHERE tenant_id = OLD.tenant_id AND organization_id = OLD.organization_id;
END;
