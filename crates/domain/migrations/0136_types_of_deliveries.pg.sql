-- In a transaction of its own, so that deliveries are read and made meanwhile. What has ended comes first: what is due then waits for the
-- end of this migration a moment only. A process of the version before goes on queueing without the type; a list that is narrowed to one
-- type does not find what it queues.
UPDATE deliveries SET event_type = CAST(payload AS json) ->> 'event_type'
    WHERE queue = 'webhooks' AND state <> 'due' AND payload <> '';
UPDATE deliveries SET event_type = CAST(payload AS json) ->> 'event_type'
    WHERE queue = 'webhooks' AND state = 'due' AND payload <> '';
-- A delivery gets into it once, when it has ended. What waits for one receiver is little, and is looked through.
CREATE INDEX deliveries_of_webhooks_by_type ON deliveries (tenant_id, receiver, state, event_type, id)
    WHERE queue = 'webhooks' AND state <> 'due';
