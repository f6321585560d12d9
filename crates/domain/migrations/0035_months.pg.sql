-- The audit log and the outbox are kept in one part for each month, so that what has expired is dropped as a whole. Times are
-- microseconds since the epoch, months are those of UTC.

-- When the month of a time begins, or one that is so many months later.
CREATE FUNCTION month_of(micros BIGINT, later INT) RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
    SELECT CAST(extract(epoch FROM date_trunc('month', timestamp 'epoch' + micros * interval '1 microsecond')
        + later * interval '1 month') * 1000000 AS BIGINT)
$$;

-- The tables, the prefix of their ids, which choose the part, and whether a month is dropped when it is over.
CREATE FUNCTION tables_by_month() RETURNS TABLE (name TEXT, prefix TEXT, is_dropped BOOLEAN) LANGUAGE sql IMMUTABLE AS $$
    VALUES ('audit_log', 'aud_', false), ('outbox', 'evt_', true)
$$;

-- With what ids begin that are made at a time: the prefix, and 48 bits of milliseconds in Crockford's base 32. All of one table have the
-- same length, and so the order of their texts.
CREATE FUNCTION month_bound(prefix TEXT, micros BIGINT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT prefix || string_agg(
        substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + CAST(((micros / 1000) >> (5 * place)) & 31 AS INT), 1), '' ORDER BY place DESC)
    FROM generate_series(0, 9) place
$$;

-- The parts of a table that have an end.
CREATE FUNCTION months_of(parent TEXT) RETURNS TABLE (part TEXT, until TEXT) LANGUAGE sql STABLE AS $$
    SELECT CAST(c.relname AS TEXT), substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = to_regclass(quote_ident(parent)) AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
$$;

-- Gives a table that is to be a part what its whole has: it is fenced off and planned in the same way.
CREATE FUNCTION fence_part(part TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY, '
        'ALTER COLUMN tenant_id SET (n_distinct = 1)', part);
    EXECUTE format('CREATE POLICY tenant_rows ON %I USING (current_setting(''svc.tenant_id'', true) IN (tenant_id, ''*'')) '
        'WITH CHECK (current_setting(''svc.tenant_id'', true) IN (tenant_id, ''*''))', part);
END
$$;

-- Makes the parts of a time's month and of the next where they are missing; returns how many. No part is made for
-- a month that has rows already. A table that is in use is left for the next time: a lock that is waited for stops all that comes after.
CREATE FUNCTION make_months(micros BIGINT) RETURNS BIGINT LANGUAGE plpgsql SECURITY DEFINER
SET lock_timeout = '500ms' AS $$
DECLARE
    kept RECORD;
    part TEXT;
    since TEXT;
    until TEXT;
    has_rows BOOLEAN;
    made BIGINT := 0;
BEGIN
    PERFORM set_config('svc.tenant_id', '*', true);
    FOR kept IN SELECT t.name, t.prefix FROM tables_by_month() t LOOP
        FOR later IN 0..1 LOOP
            part := kept.name || to_char(timestamp 'epoch' + month_of(micros, later) * interval '1 microsecond', '_YYYY_MM');
            since := month_bound(kept.prefix, month_of(micros, later));
            until := month_bound(kept.prefix, month_of(micros, later + 1));
            BEGIN
                -- Two workers take turns.
                EXECUTE format('LOCK TABLE ONLY %I IN SHARE UPDATE EXCLUSIVE MODE', kept.name);
                CONTINUE WHEN to_regclass(quote_ident(part)) IS NOT NULL
                    OR EXISTS (SELECT FROM months_of(kept.name) m WHERE m.part = kept.name || '_first' AND m.until > since);
                EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE id >= %L AND id < %L)', kept.name, since, until) INTO has_rows;
                CONTINUE WHEN has_rows;
                EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', part, kept.name);
                PERFORM fence_part(part);
                EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', kept.name, part, since, until);
                made := made + 1;
            EXCEPTION WHEN lock_not_available THEN
                NULL;
            END;
        END LOOP;
    END LOOP;
    RETURN made;
END
$$;

-- Drops the parts of a table whose months ended before a time, and removes what stands apart from the months row by row.
CREATE FUNCTION drop_months(parent TEXT, micros BIGINT, most INT, OUT dropped BIGINT, OUT removed BIGINT) LANGUAGE plpgsql SECURITY DEFINER
SET lock_timeout = '500ms' AS $$
DECLARE
    own_prefix TEXT;
    ended TEXT;
BEGIN
    dropped := 0;
    removed := 0;
    PERFORM set_config('svc.tenant_id', '*', true);
    SELECT t.prefix INTO own_prefix FROM tables_by_month() t WHERE t.name = parent AND t.is_dropped;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no month of % is ever dropped', parent;
    END IF;
    FOR ended IN SELECT m.part FROM months_of(parent) m WHERE m.until <= month_bound(own_prefix, micros) ORDER BY m.until LOOP
        BEGIN
            EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', parent);
            CONTINUE WHEN to_regclass(quote_ident(ended)) IS NULL;
            EXECUTE format('DROP TABLE %I', ended);
            dropped := dropped + 1;
        EXCEPTION WHEN lock_not_available THEN
            EXIT;
        END;
    END LOOP;
    EXECUTE format('DELETE FROM %1$I WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM %1$I WHERE created_at <= %2$L LIMIT %3$s)',
        parent || '_rest', micros, most);
    GET DIAGNOSTICS removed = ROW_COUNT;
END
$$;

-- Both run with the rights of the tables' owner, find only the tables of this schema, and are called by the roles that are granted them.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION make_months(BIGINT) SET search_path = %I, pg_temp', current_schema());
    EXECUTE format('ALTER FUNCTION drop_months(TEXT, BIGINT, INT) SET search_path = %I, pg_temp', current_schema());
END
$$;
REVOKE ALL ON FUNCTION make_months(BIGINT) FROM PUBLIC;
REVOKE ALL ON FUNCTION drop_months(TEXT, BIGINT, INT) FROM PUBLIC;

-- What there is so far becomes the first part, until the end of the month after the newest row. This constraint holds rows to come to
-- that; the next migration checks those that are there while others write, so that nothing is left to check under its lock.
DO $$
DECLARE
    kept RECORD;
    newest BIGINT;
BEGIN
    FOR kept IN SELECT t.name, t.prefix FROM tables_by_month() t LOOP
        EXECUTE format('SELECT greatest(max(%I), CAST(extract(epoch FROM now()) * 1000000 AS BIGINT)) FROM %I',
            CASE kept.name WHEN 'audit_log' THEN 'at' ELSE 'created_at' END, kept.name) INTO newest;
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT first_months CHECK (id < %L) NOT VALID', kept.name,
            month_bound(kept.prefix, month_of(newest, 2)));
    END LOOP;
END
$$;
