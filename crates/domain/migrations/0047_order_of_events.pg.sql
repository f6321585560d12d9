ALTER TABLE outbox ALTER COLUMN written_at SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT;
