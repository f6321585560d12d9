-- How many members an organization has had in all: counting them for each that joins would read them all. Triggers write it, also for a
-- version that knows nothing of it, so that those who join at once take turns for the row.

-- All or none, and without waiting for long: others hold one of them and wait for another. Before the table is made, whose reference locks
-- the organizations.
DO $$
BEGIN
    PERFORM set_config('lock_timeout', '50ms', true);
    LOOP
        BEGIN
            LOCK TABLE organizations, organization_members IN SHARE ROW EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.05);
        END;
    END LOOP;
    PERFORM set_config('lock_timeout', '0', true);
END
$$;

CREATE TABLE organization_sizes (
    tenant_id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    members BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, organization_id),
    FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);

-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE organization_sizes ENABLE ROW LEVEL SECURITY;
ALTER TABLE organization_sizes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON organization_sizes
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE organization_sizes ALTER COLUMN tenant_id SET (n_distinct = 1);

INSERT INTO organization_sizes (tenant_id, organization_id, members)
    SELECT tenant_id, organization_id, COUNT(*) FROM organization_members GROUP BY tenant_id, organization_id;

-- Once for each statement: a row that one transaction changes thousands of times is found through all that it has been. With the rights of the
-- tables' owner: the roles of a version that knows nothing of the table have none to it.
CREATE FUNCTION count_members_joined() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO organization_sizes AS s (tenant_id, organization_id, members)
        SELECT tenant_id, organization_id, COUNT(*) FROM joined GROUP BY tenant_id, organization_id
        ON CONFLICT (tenant_id, organization_id) DO UPDATE SET members = s.members + excluded.members;
    RETURN NULL;
END $$;
CREATE FUNCTION count_members_left() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    UPDATE organization_sizes AS s SET members = s.members - gone.members
        FROM (SELECT tenant_id, organization_id, COUNT(*) AS members FROM parted GROUP BY tenant_id, organization_id) AS gone
        WHERE s.tenant_id = gone.tenant_id AND s.organization_id = gone.organization_id;
    RETURN NULL;
END $$;
DO $$
DECLARE
    counts TEXT;
BEGIN
    FOREACH counts IN ARRAY ARRAY['count_members_joined()', 'count_members_left()'] LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', counts, current_schema());
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', counts);
    END LOOP;
END
$$;
CREATE TRIGGER organization_members_joined AFTER INSERT ON organization_members
    REFERENCING NEW TABLE AS joined FOR EACH STATEMENT EXECUTE FUNCTION count_members_joined();
CREATE TRIGGER organization_members_left AFTER DELETE ON organization_members
    REFERENCING OLD TABLE AS parted FOR EACH STATEMENT EXECUTE FUNCTION count_members_left();
