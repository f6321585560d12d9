-- An entry stays as it was written. It gets its place once, and goes when its chain says that its retention is over.
CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
WHEN OLD.position IS NOT NULL OR OLD.hash IS NOT NULL OR NEW.position IS NULL OR NEW.hash IS NULL
    OR (NEW.tenant_id, NEW.id, NEW.at, NEW.actor_kind, NEW.actor_id, NEW.action, NEW.target, NEW.outcome, NEW.request_id,
        NEW.client_ip, NEW.detail)
    IS NOT (OLD.tenant_id, OLD.id, OLD.at, OLD.actor_kind, OLD.actor_id, OLD.action, OLD.target, OLD.outcome, OLD.request_id,
        OLD.client_ip, OLD.detail)
BEGIN
    SELECT RAISE(ABORT, 'an entry of the audit log is never changed');
END;

CREATE TRIGGER audit_log_is_not_deleted BEFORE DELETE ON audit_log
WHEN NOT EXISTS (SELECT 1 FROM audit_chains c WHERE c.tenant_id = OLD.tenant_id AND OLD.position <= c.removed)
BEGIN
    SELECT RAISE(ABORT, 'an entry of the audit log is not deleted before its retention is over');
END;
