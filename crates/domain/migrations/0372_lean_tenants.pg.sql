-- Each of these rows locked the row of its tenant to make sure that it stays, so that all that a tenant does wrote to that one row, and
-- those who do something at once noted each other there. A tenant's row is never deleted. SQLite looks up the row in memory, and could
-- drop references only by copying tables.

-- All or none, and without waiting for long: others hold one of them and wait for another.
DO $$
DECLARE
    kept RECORD;
BEGIN
    PERFORM set_config('lock_timeout', '50ms', true);
    LOOP
        BEGIN
            LOCK TABLE tenants, tenant_users, login_history, idempotency_keys, revocations, spent_assertions, policy_decisions
                IN ACCESS EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_sleep(0.05);
        END;
    END LOOP;
    PERFORM set_config('lock_timeout', '0', true);
    FOR kept IN SELECT CAST(c.conrelid AS REGCLASS) AS name, c.conname FROM pg_constraint c WHERE c.contype = 'f'
        AND c.confrelid = to_regclass('tenants') AND c.conrelid IN (to_regclass('tenant_users'), to_regclass('login_history'),
        to_regclass('idempotency_keys'), to_regclass('revocations'), to_regclass('spent_assertions'), to_regclass('policy_decisions')) LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', kept.name, kept.conname);
    END LOOP;
END
$$;
