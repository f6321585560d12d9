-- Events of one type, in their order, for those who fetch them.
CREATE INDEX events_of_type ON events (tenant_id, type, position);
-- The type of the event that a delivery to a webhook brings; nothing of other queues.
ALTER TABLE deliveries ADD COLUMN event_type TEXT;
