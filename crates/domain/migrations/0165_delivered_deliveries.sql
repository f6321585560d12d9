-- The deliveries of a subscription that came, in the order of their list: where a receiver has failed for days, those are far back. A
-- delivery gets into it once, when it has come.
CREATE INDEX deliveries_of_webhooks_taken ON deliveries (tenant_id, receiver, id)
    WHERE queue = 'webhooks' AND state = 'taken';
