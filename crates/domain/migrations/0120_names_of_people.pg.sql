-- The last net under the compile-time check: a tenant's transaction sees that tenant's rows only.
ALTER TABLE tenant_user_names ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenant_user_names FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON tenant_user_names
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));
ALTER TABLE tenant_user_names ALTER COLUMN tenant_id SET (n_distinct = 1);

-- Ordered by their bytes, so that the beginning of a name is a range of the index, and both engines agree on the order.
ALTER TABLE tenant_user_names ALTER COLUMN email_key TYPE TEXT COLLATE "C", ALTER COLUMN username_key TYPE TEXT COLLATE "C",
    ALTER COLUMN name_key TYPE TEXT COLLATE "C";

-- The full name that a tenant sees of a person. An escaped NUL, which no text of PostgreSQL can have, would fail the write.
CREATE FUNCTION name_key_of(status TEXT, profile TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN status IN ('invited', 'pre_provisioned') OR strpos(profile, '\u0000') > 0 THEN ''
        ELSE left(COALESCE(lower((CAST(profile AS json) ->> 'name') COLLATE "C"), ''), 320) END
$$;

-- A transaction that changes the account at the same time is waited for. It does not see a membership that is made here; where it sees
-- one that is changed here, both write the row of its names, and the later one reads what the other has written. The account itself is
-- not locked then: a transaction that changes an account may go on to the membership.
CREATE FUNCTION keep_names_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM FROM accounts a WHERE a.id = NEW.account_id FOR NO KEY UPDATE;
    ELSE
        PERFORM FROM tenant_user_names n WHERE n.tenant_id = NEW.tenant_id AND n.tenant_user_id = NEW.id FOR UPDATE;
    END IF;
    IF NEW.status = 'removed' THEN
        DELETE FROM tenant_user_names WHERE tenant_id = NEW.tenant_id AND tenant_user_id = NEW.id;
        RETURN NULL;
    END IF;
    INSERT INTO tenant_user_names (tenant_id, tenant_user_id, status, email_key, username_key, name_key)
        SELECT NEW.tenant_id, NEW.id, NEW.status, COALESCE(a.email_key, ''), COALESCE(NEW.username_key, ''),
            name_key_of(NEW.status, a.profile)
        FROM accounts a WHERE a.id = NEW.account_id
        ON CONFLICT (tenant_id, tenant_user_id) DO UPDATE SET status = excluded.status, email_key = excluded.email_key,
            username_key = excluded.username_key, name_key = excluded.name_key;
    RETURN NULL;
END $$;
CREATE TRIGGER tenant_users_named AFTER INSERT ON tenant_users
    FOR EACH ROW EXECUTE FUNCTION keep_names_of_member();
CREATE TRIGGER tenant_users_renamed AFTER UPDATE OF status, username_key ON tenant_users
    FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.username_key IS DISTINCT FROM NEW.username_key)
    EXECUTE FUNCTION keep_names_of_member();

-- An account may be a member of several tenants, and the transaction that changes it is of one of them. The fence is opened for the one
-- statement that brings the account's own names to its memberships, which answers nothing, and is closed again; nobody can call this
-- but the engine, and where the statement fails, the transaction ends.
CREATE FUNCTION keep_names_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    present TEXT := COALESCE(current_setting('svc.tenant_id', true), '');
BEGIN
    PERFORM set_config('svc.tenant_id', '*', true);
    UPDATE tenant_user_names n SET email_key = COALESCE(NEW.email_key, ''), name_key = name_key_of(n.status, NEW.profile)
        FROM tenant_users u WHERE u.account_id = NEW.id AND n.tenant_id = u.tenant_id AND n.tenant_user_id = u.id;
    PERFORM set_config('svc.tenant_id', present, true);
    RETURN NULL;
END $$;
CREATE TRIGGER accounts_renamed AFTER UPDATE OF email_key, profile ON accounts
    FOR EACH ROW WHEN (OLD.email_key IS DISTINCT FROM NEW.email_key OR OLD.profile <> NEW.profile)
    EXECUTE FUNCTION keep_names_of_account();

INSERT INTO tenant_user_names (tenant_id, tenant_user_id, status, email_key, username_key, name_key)
    SELECT u.tenant_id, u.id, u.status, COALESCE(a.email_key, ''), COALESCE(u.username_key, ''), name_key_of(u.status, a.profile)
    FROM tenant_users u JOIN accounts a ON a.id = u.account_id WHERE u.status <> 'removed';

-- The status comes last, so that the index tells it too.
CREATE INDEX tenant_user_names_by_email ON tenant_user_names (tenant_id, email_key, tenant_user_id, status);
CREATE INDEX tenant_user_names_by_username ON tenant_user_names (tenant_id, username_key, tenant_user_id, status);
CREATE INDEX tenant_user_names_by_name ON tenant_user_names (tenant_id, name_key, tenant_user_id, status);
