-- Rows are written one after the other here.
CREATE TRIGGER outbox_written AFTER INSERT ON outbox BEGIN
    UPDATE outbox SET written_at = new.rowid WHERE rowid = new.rowid;
END;
