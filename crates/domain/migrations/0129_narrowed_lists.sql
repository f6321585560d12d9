-- Organizations in one status, and those of one owner, in the orders of their list. The index of owners goes on serving the reference
-- to the person.
CREATE INDEX organizations_of_status ON organizations (tenant_id, status, id);
CREATE INDEX organizations_of_status_by_name ON organizations (tenant_id, status, name_key, id);
CREATE INDEX organizations_of_owner ON organizations (tenant_id, owner_id, id);
CREATE INDEX organizations_of_owner_by_name ON organizations (tenant_id, owner_id, name_key, id);
DROP INDEX organizations_by_owner;

-- Tenants on one plan. It goes on serving the reference to the plan.
CREATE INDEX tenants_on_plan ON tenants (plan_id, id) WHERE plan_id IS NOT NULL;
DROP INDEX tenants_of_plan;
