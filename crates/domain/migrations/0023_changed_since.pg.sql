-- A tenant is never deleted, and on PostgreSQL each entry locked its tenant's row to make sure.
ALTER TABLE audit_log DROP CONSTRAINT audit_log_tenant_id_fkey;
ALTER TABLE outbox DROP CONSTRAINT outbox_tenant_id_fkey;
