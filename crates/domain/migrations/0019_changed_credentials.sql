-- Every node asks each second whose credentials have changed: those of a new account have not.
CREATE INDEX accounts_by_changed_credentials ON accounts (credentials_changed_at)
WHERE credentials_changed_at > created_at;
