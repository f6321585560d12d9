-- What is too old is looked for among what has ended: a delivery gets into the index once, when that happens, and no longer with every
-- attempt.
CREATE INDEX deliveries_of_webhooks_ended ON deliveries (created_at) WHERE queue = 'webhooks' AND state <> 'due';
DROP INDEX deliveries_of_webhooks_by_time;
