UPDATE deliveries SET event_type = json_extract(payload, '$.event_type') WHERE queue = 'webhooks' AND payload <> '';
-- A delivery gets into it once, when it has ended. What waits for one receiver is little, and is looked through.
CREATE INDEX deliveries_of_webhooks_by_type ON deliveries (tenant_id, receiver, state, event_type, id)
    WHERE queue = 'webhooks' AND state <> 'due';
