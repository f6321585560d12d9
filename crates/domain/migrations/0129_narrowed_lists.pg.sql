-- Made of the document by the engine: whichever version writes an application, lists find it by what it is at present. A member that is
-- absent counts as its default, as it does where the document is read.
ALTER TABLE apps
    ADD COLUMN kind TEXT GENERATED ALWAYS AS (COALESCE(CAST(configuration AS json) ->> 'type', 'web')) STORED,
    ADD COLUMN first_party BOOLEAN GENERATED ALWAYS AS (COALESCE((CAST(configuration AS json) ->> 'first_party') = 'true', false)) STORED;
-- A list that is narrowed by some of these members alone reads one range for each value of the others.
CREATE INDEX apps_of_kind ON apps (tenant_id, kind, enabled, first_party, id);
CREATE INDEX apps_of_kind_by_name ON apps (tenant_id, kind, enabled, first_party, name_key, id);
CREATE INDEX apps_enabled ON apps (tenant_id, enabled, first_party, id);
CREATE INDEX apps_enabled_by_name ON apps (tenant_id, enabled, first_party, name_key, id);

-- Ordered by their bytes, so that the beginning of a name is a range of the index, and both engines agree on the order.
ALTER TABLE tenants
    ADD COLUMN name_key TEXT COLLATE "C" GENERATED ALWAYS AS (lower(name COLLATE "C")) STORED,
    ADD COLUMN slug_key TEXT COLLATE "C" GENERATED ALWAYS AS (slug COLLATE "C") STORED,
    ADD COLUMN standing TEXT GENERATED ALWAYS AS (CASE WHEN delete_at IS NULL THEN status ELSE 'deleting' END) STORED;
-- A search reads its range of both, whose last columns tell whether a tenant is wanted.
CREATE INDEX tenants_by_name ON tenants (name_key, id, standing, plan_id) WHERE deleted_at IS NULL;
CREATE INDEX tenants_by_slug ON tenants (slug_key, id, standing, plan_id) WHERE deleted_at IS NULL;
CREATE INDEX tenants_of_standing ON tenants (standing, id) WHERE deleted_at IS NULL;
CREATE INDEX tenants_of_standing_by_name ON tenants (standing, name_key, id) WHERE deleted_at IS NULL;
CREATE INDEX tenants_on_plan_by_name ON tenants (plan_id, name_key, id) WHERE deleted_at IS NULL AND plan_id IS NOT NULL;
CREATE INDEX tenants_on_plan_of_standing ON tenants (plan_id, standing, id) WHERE deleted_at IS NULL AND plan_id IS NOT NULL;
CREATE INDEX tenants_on_plan_of_standing_by_name ON tenants (plan_id, standing, name_key, id) WHERE deleted_at IS NULL AND plan_id IS NOT NULL;
