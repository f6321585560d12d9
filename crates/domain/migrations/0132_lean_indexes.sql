-- Most deliveries are those of webhooks: no look-up of theirs goes by topic, and their history has an index by time of its own.
DROP INDEX deliveries_by_topic;
CREATE INDEX deliveries_by_topic ON deliveries (tenant_id, receiver, topic, happened_at, id)
    WHERE state = 'due' AND queue <> 'webhooks';
DROP INDEX deliveries_by_time;
CREATE INDEX deliveries_by_time ON deliveries (created_at) WHERE queue <> 'webhooks';
-- Lists go by the kind of a person, which has an index of its own.
DROP INDEX tenant_users_of_guests;
