-- Kinds of credentials are the program's to know. A constraint of SQLite goes with its table only.
CREATE TABLE all_credentials (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    -- By what it is found where it is presented: a credential id, the digest of a code, of a number or of a cookie.
    lookup BYTEA,
    name TEXT NOT NULL,
    document TEXT NOT NULL,
    -- The shared secret of one-time codes.
    sealed BYTEA,
    -- Only grows: the last step of one-time codes, the counter of an authenticator, 1 for a spent backup code.
    mark BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at BIGINT
);
INSERT INTO all_credentials (id, account_id, kind, lookup, name, document, sealed, mark, created_at, last_used_at, expires_at)
    SELECT id, account_id, kind, lookup, name, document, sealed, mark, created_at, last_used_at, expires_at FROM account_credentials;
DROP TABLE account_credentials;
ALTER TABLE all_credentials RENAME TO account_credentials;
CREATE UNIQUE INDEX account_credentials_by_lookup ON account_credentials (kind, lookup);
CREATE INDEX account_credentials_by_account ON account_credentials (account_id, kind, id);
CREATE INDEX account_credentials_expiry ON account_credentials (expires_at) WHERE expires_at IS NOT NULL;
