-- Events get their positions in the order in which they were written: the times at which their requests came are by the clocks of several
-- processes.
DROP INDEX outbox_by_time;
CREATE INDEX outbox_by_writing ON outbox (written_at);
