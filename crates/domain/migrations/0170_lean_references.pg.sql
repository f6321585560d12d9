-- Each code, pushed request and family locked the rows of its application and its person to make sure that they stay, so that all of one
-- application wrote to its row. A person's row goes with the tenant alone, after all of these. What an application has under way goes
-- with it by the trigger below, and a code whose application has gone is not redeemed. The events of a tenant are written in the
-- transaction that writes the row to which they refer. SQLite looks up rows in memory, and could drop references only by copying tables.

-- All or none, and without waiting for long: others hold one of them and wait for another.
DO $$
DECLARE
    kept RECORD;
BEGIN
    PERFORM set_config('lock_timeout', '50ms', true);
    LOOP
        BEGIN
            LOCK TABLE tenant_users, apps, codes, par_requests, refresh_families, events, event_positions IN ACCESS EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.05);
        END;
    END LOOP;
    PERFORM set_config('lock_timeout', '0', true);
    FOR kept IN SELECT CAST(c.conrelid AS REGCLASS) AS name, c.conname FROM pg_constraint c WHERE c.contype = 'f' AND c.conrelid IN
        (to_regclass('codes'), to_regclass('par_requests'), to_regclass('refresh_families'), to_regclass('events')) LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', kept.name, kept.conname);
    END LOOP;
END
$$;

-- Codes come first, as wherever something ends: a redemption that holds one has made its family when the families' turn comes. A role
-- that may delete an application ends these with it, as a reference does, and so with the rights of the tables' owner.
CREATE FUNCTION end_grants_of_app() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    DELETE FROM codes WHERE tenant_id = OLD.tenant_id AND app_id = OLD.id;
    DELETE FROM par_requests WHERE tenant_id = OLD.tenant_id AND app_id = OLD.id;
    DELETE FROM refresh_families WHERE tenant_id = OLD.tenant_id AND app_id = OLD.id;
    RETURN NULL;
END
$$;
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION end_grants_of_app() SET search_path = %I, pg_temp', current_schema());
END
$$;
REVOKE ALL ON FUNCTION end_grants_of_app() FROM PUBLIC;
-- After the references: device codes and backchannel requests, which lead to families too, are deleted by then.
CREATE TRIGGER grants_end_with_app AFTER DELETE ON apps FOR EACH ROW EXECUTE FUNCTION end_grants_of_app();
