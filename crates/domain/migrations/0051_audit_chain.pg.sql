-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE audit_chains ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_chains FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON audit_chains
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE audit_checkpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_checkpoints FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON audit_checkpoints
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE audit_chains ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE audit_checkpoints ALTER COLUMN tenant_id SET (n_distinct = 1);

-- An entry stays as it was written. It gets its place once, and goes when its chain says that its retention is over. Each part of the
-- table has these triggers from its whole.
CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        RAISE EXCEPTION 'the audit log is never emptied';
    END IF;
    IF TG_OP = 'DELETE' THEN
        IF EXISTS (SELECT FROM audit_chains c WHERE c.tenant_id = OLD.tenant_id AND OLD.position <= c.removed) THEN
            RETURN OLD;
        END IF;
        RAISE EXCEPTION 'an entry of the audit log is not deleted before its retention is over';
    END IF;
    IF OLD.position IS NULL AND OLD.hash IS NULL AND NEW.position IS NOT NULL AND NEW.hash IS NOT NULL
        AND (NEW.tenant_id, NEW.id, NEW.at, NEW.actor_kind, NEW.actor_id, NEW.action, NEW.target, NEW.outcome, NEW.request_id,
            NEW.client_ip, NEW.detail)
        IS NOT DISTINCT FROM (OLD.tenant_id, OLD.id, OLD.at, OLD.actor_kind, OLD.actor_id, OLD.action, OLD.target, OLD.outcome,
            OLD.request_id, OLD.client_ip, OLD.detail) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'an entry of the audit log is never changed';
END
$$;
CREATE TRIGGER audit_log_is_kept BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION keep_audit_log();
CREATE TRIGGER audit_log_is_not_emptied BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();

-- Drops the parts of the audit log whose months ended before a time, if the chain of every tenant says of all their entries that their
-- retention is over. The entries are looked through before the lock is taken: nothing is added to a month that is over.
CREATE FUNCTION drop_audit_months(micros BIGINT, OUT dropped BIGINT) LANGUAGE plpgsql SECURITY DEFINER
SET lock_timeout = '500ms' AS $$
DECLARE
    ended TEXT;
    has_more BOOLEAN;
BEGIN
    dropped := 0;
    PERFORM set_config('svc.tenant_id', '*', true);
    FOR ended IN SELECT m.part FROM months_of('audit_log') m WHERE m.until <= month_bound('aud_', micros) ORDER BY m.until LOOP
        BEGIN
            EXECUTE format('SELECT EXISTS (SELECT FROM %I p LEFT JOIN audit_chains c ON c.tenant_id = p.tenant_id '
                'WHERE p.position IS NULL OR c.removed IS NULL OR p.position > c.removed)', ended) INTO has_more;
            CONTINUE WHEN has_more;
            LOCK TABLE ONLY audit_log IN ACCESS EXCLUSIVE MODE;
            CONTINUE WHEN to_regclass(quote_ident(ended)) IS NULL;
            EXECUTE format('DROP TABLE %I', ended);
            dropped := dropped + 1;
        EXCEPTION WHEN lock_not_available OR undefined_table THEN
            EXIT;
        END;
    END LOOP;
END
$$;
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION drop_audit_months(BIGINT) SET search_path = %I, pg_temp', current_schema());
END
$$;
REVOKE ALL ON FUNCTION drop_audit_months(BIGINT) FROM PUBLIC;
