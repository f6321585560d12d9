-- Of the headers that were sent, the signatures alone: the others follow from the delivery and the time of the attempt, but the secrets that
-- signed may be gone. Of those of the answer, a few. Both are null where there were none, and of attempts of the version before.
ALTER TABLE webhook_attempts ADD COLUMN signatures TEXT;
ALTER TABLE webhook_attempts ADD COLUMN answer_headers TEXT;
-- The times of what is sent again, the second one excluded; null is: all events between the positions. A process of the version before
-- sends those all.
ALTER TABLE webhooks ADD COLUMN replay_from BIGINT;
ALTER TABLE webhooks ADD COLUMN replay_before BIGINT;
