-- What tenants of a kind may use, and how much of it.
CREATE TABLE plans (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    configuration TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL
);

ALTER TABLE tenants ADD COLUMN plan_id TEXT REFERENCES plans (id);
-- A tenant that is deleted is suspended, and can be restored until then.
ALTER TABLE tenants ADD COLUMN delete_at BIGINT;
-- When everything in it was gone.
ALTER TABLE tenants ADD COLUMN deleted_at BIGINT;
CREATE INDEX tenants_of_plan ON tenants (plan_id) WHERE plan_id IS NOT NULL;
CREATE INDEX tenants_to_delete ON tenants (delete_at) WHERE delete_at IS NOT NULL;

CREATE VIEW tenant_plans AS
SELECT t.id AS tenant_id, p.configuration FROM tenants t JOIN plans p ON p.id = t.plan_id;
