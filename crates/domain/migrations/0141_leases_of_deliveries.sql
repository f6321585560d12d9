-- The end of the lease of the last attempt. While it is `due_at` as well, the delivery is under way and not waiting for another attempt;
-- a process of the version before does not write it, and what it has claimed counts as waiting.
ALTER TABLE deliveries ADD COLUMN leased_until BIGINT;
