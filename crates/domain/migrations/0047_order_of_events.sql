-- When an event was written, which is with the commit and so after whatever its transaction had to wait for.
ALTER TABLE outbox ADD COLUMN written_at BIGINT;

-- Events from this time on are the subscription's; one that was committed before it may get its position after it.
ALTER TABLE webhooks ADD COLUMN begins_at BIGINT NOT NULL DEFAULT 0;
-- Failures long after the one before do not belong together.
ALTER TABLE webhooks ADD COLUMN last_failed_at BIGINT;
