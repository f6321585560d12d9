-- The connector whose word a session rests on, where that word counts in its tenant alone; null is none.
ALTER TABLE sessions ADD COLUMN connector_id TEXT;
CREATE INDEX sessions_of_connectors ON sessions (tenant_id, connector_id) WHERE connector_id IS NOT NULL;
