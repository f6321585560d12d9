-- The names of a new member are written without looking for those that it had, and the account is read where it is locked. Else as before:
-- where a transaction changes the account at the same time, the member's names are those that it leaves, and where the membership changes,
-- the later one reads what the other has written.
CREATE OR REPLACE FUNCTION keep_names_of_member() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    email TEXT;
    named TEXT;
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status <> 'removed' THEN
            SELECT COALESCE(a.email_key, ''), name_key_of(NEW.status, a.profile) INTO email, named
                FROM accounts a WHERE a.id = NEW.account_id FOR NO KEY UPDATE;
            INSERT INTO tenant_user_names (tenant_id, tenant_user_id, status, email_key, username_key, name_key)
                VALUES (NEW.tenant_id, NEW.id, NEW.status, email, COALESCE(NEW.username_key, ''), named);
        END IF;
        RETURN NULL;
    END IF;
    PERFORM FROM tenant_user_names n WHERE n.tenant_id = NEW.tenant_id AND n.tenant_user_id = NEW.id FOR UPDATE;
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
