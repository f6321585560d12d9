ALTER TABLE audit_log VALIDATE CONSTRAINT first_months;
ALTER TABLE outbox VALIDATE CONSTRAINT first_months;

-- Both or none, and without waiting for long: others hold one of them and wait for the other.
DO $$
BEGIN
    PERFORM set_config('lock_timeout', '50ms', true);
    LOOP
        BEGIN
            LOCK TABLE audit_log, outbox IN ACCESS EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.05);
        END;
    END LOOP;
    PERFORM set_config('lock_timeout', '0', true);
END
$$;

ALTER TABLE audit_log RENAME TO audit_log_first;
ALTER TABLE audit_log_first RENAME CONSTRAINT audit_log_pkey TO audit_log_first_pkey;
CREATE TABLE audit_log (LIKE audit_log_first, PRIMARY KEY (tenant_id, id)) PARTITION BY RANGE (id);

ALTER TABLE outbox RENAME TO outbox_first;
ALTER TABLE outbox_first RENAME CONSTRAINT outbox_pkey TO outbox_first_pkey;
ALTER INDEX outbox_by_time RENAME TO outbox_first_by_time;
ALTER INDEX outbox_signals RENAME TO outbox_first_signals;
CREATE TABLE outbox (LIKE outbox_first, PRIMARY KEY (tenant_id, id)) PARTITION BY RANGE (id);
CREATE INDEX outbox_by_time ON outbox (created_at);
CREATE INDEX outbox_signals ON outbox (type, tenant_id, id);

DO $$
DECLARE
    kept RECORD;
    allowed RECORD;
    has_rows BOOLEAN;
    until TEXT;
BEGIN
    FOR kept IN SELECT t.name, t.prefix FROM tables_by_month() t LOOP
        -- Roles keep what they may do with the whole, and may do nothing with its parts.
        FOR allowed IN SELECT x.privilege_type, x.grantee, CAST(CAST(x.grantee AS REGROLE) AS TEXT) AS role
            FROM pg_class c, aclexplode(c.relacl) x
            WHERE c.oid = to_regclass(quote_ident(kept.name || '_first')) AND x.grantee NOT IN (c.relowner, 0) LOOP
            EXECUTE format('GRANT %s ON %I TO %s', allowed.privilege_type, kept.name, allowed.role);
            EXECUTE format('REVOKE ALL ON %I FROM %s', kept.name || '_first', allowed.role);
        END LOOP;
        PERFORM fence_part(kept.name);
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', kept.name || '_rest', kept.name);
        PERFORM fence_part(kept.name || '_rest');
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I DEFAULT', kept.name, kept.name || '_rest');
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', kept.name || '_first') INTO has_rows;
        IF has_rows THEN
            SELECT substring(pg_get_constraintdef(c.oid) FROM '''([^'']+)''') INTO until FROM pg_constraint c
            WHERE c.conname = 'first_months' AND c.conrelid = to_regclass(quote_ident(kept.name || '_first'));
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', kept.name,
                kept.name || '_first', until);
            EXECUTE format('ALTER TABLE %I DROP CONSTRAINT first_months', kept.name || '_first');
        ELSE
            EXECUTE format('DROP TABLE %I', kept.name || '_first');
        END IF;
    END LOOP;
    PERFORM make_months(CAST(extract(epoch FROM now()) * 1000000 AS BIGINT));
END
$$;
