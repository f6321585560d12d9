CREATE TRIGGER tenant_users_named AFTER INSERT ON tenant_users BEGIN
    INSERT INTO tenant_user_names (tenant_id, tenant_user_id, status, email_key, username_key, name_key)
        SELECT NEW.tenant_id, NEW.id, NEW.status, COALESCE(a.email_key, ''), COALESCE(NEW.username_key, ''),
            CASE WHEN NEW.status IN ('invited', 'pre_provisioned') THEN ''
                ELSE substr(COALESCE(lower(json_extract(a.profile, '$.name')), ''), 1, 320) END
        FROM accounts a WHERE a.id = NEW.account_id AND NEW.status <> 'removed';
END;
CREATE TRIGGER tenant_users_removed AFTER UPDATE OF status ON tenant_users WHEN NEW.status = 'removed' BEGIN
    DELETE FROM tenant_user_names WHERE tenant_id = NEW.tenant_id AND tenant_user_id = NEW.id;
END;
CREATE TRIGGER tenant_users_renamed AFTER UPDATE OF status, username_key ON tenant_users
    WHEN OLD.status <> NEW.status OR OLD.username_key IS NOT NEW.username_key BEGIN
    UPDATE tenant_user_names SET status = NEW.status, username_key = COALESCE(NEW.username_key, ''),
        name_key = CASE WHEN NEW.status IN ('invited', 'pre_provisioned') THEN ''
            ELSE substr(COALESCE(
                (SELECT lower(json_extract(a.profile, '$.name')) FROM accounts a WHERE a.id = NEW.account_id), ''), 1, 320) END
        WHERE tenant_id = NEW.tenant_id AND tenant_user_id = NEW.id;
END;
CREATE TRIGGER accounts_renamed AFTER UPDATE OF email_key, profile ON accounts
    WHEN OLD.email_key IS NOT NEW.email_key OR OLD.profile <> NEW.profile BEGIN
    UPDATE tenant_user_names SET email_key = COALESCE(NEW.email_key, ''),
        name_key = CASE WHEN status IN ('invited', 'pre_provisioned') THEN ''
            ELSE substr(COALESCE(lower(json_extract(NEW.profile, '$.name')), ''), 1, 320) END
        WHERE (tenant_id, tenant_user_id) IN (SELECT u.tenant_id, u.id FROM tenant_users u WHERE u.account_id = NEW.id);
END;

INSERT INTO tenant_user_names (tenant_id, tenant_user_id, status, email_key, username_key, name_key)
    SELECT u.tenant_id, u.id, u.status, COALESCE(a.email_key, ''), COALESCE(u.username_key, ''),
        CASE WHEN u.status IN ('invited', 'pre_provisioned') THEN ''
            ELSE substr(COALESCE(lower(json_extract(a.profile, '$.name')), ''), 1, 320) END
    FROM tenant_users u JOIN accounts a ON a.id = u.account_id WHERE u.status <> 'removed';

-- The status comes last, so that the index tells it too.
CREATE INDEX tenant_user_names_by_email ON tenant_user_names (tenant_id, email_key, tenant_user_id, status);
CREATE INDEX tenant_user_names_by_username ON tenant_user_names (tenant_id, username_key, tenant_user_id, status);
CREATE INDEX tenant_user_names_by_name ON tenant_user_names (tenant_id, name_key, tenant_user_id, status);
