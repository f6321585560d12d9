-- People: accounts are deployment-wide, membership is tenant-local.
CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
    email TEXT,
    -- The address in the one form under which it is unique.
    email_key TEXT UNIQUE,
    email_verified BOOLEAN NOT NULL,
    profile TEXT NOT NULL,
    password TEXT,
    -- Sessions and refresh families that are older end with the credential.
    credentials_changed_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- Wrong passwords, counted per account, or per identifier where no account answers to it.
CREATE TABLE account_attempts (
    subject BYTEA PRIMARY KEY,
    failures BIGINT NOT NULL,
    lockouts BIGINT NOT NULL,
    locked_until BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE tenant_users (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    subject TEXT NOT NULL,
    username TEXT,
    username_key TEXT,
    status TEXT NOT NULL CHECK (status IN ('invited', 'pre_provisioned', 'active', 'suspended', 'removed')),
    roles TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, subject)
);
-- Removal is terminal and keeps its row; the person may come back as somebody new.
CREATE UNIQUE INDEX tenant_users_account ON tenant_users (tenant_id, account_id) WHERE status <> 'removed';
CREATE UNIQUE INDEX tenant_users_username ON tenant_users (tenant_id, username_key) WHERE status <> 'removed';
CREATE INDEX tenant_users_by_account ON tenant_users (account_id);

-- Mailed links: confirm an address, choose a new password.
CREATE TABLE links (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    digest BYTEA NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('verify_email', 'reset_password')),
    account_id TEXT REFERENCES accounts (id),
    payload TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('live', 'spent')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, digest)
);
CREATE INDEX links_expiry ON links (expires_at);

CREATE TABLE mails (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    -- Emptied once sent: a mail may carry a link that is as good as a password.
    body_text TEXT NOT NULL,
    body_html TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('due', 'sent', 'failed')),
    attempts BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX mails_due ON mails (due_at) WHERE state = 'due';

-- A membership together with the account behind it, as every sign-in reads it.
CREATE VIEW people AS
SELECT
    u.tenant_id, u.id, u.account_id, u.subject, u.username, u.username_key, u.status, u.roles, u.created_at, u.updated_at,
    a.email, a.email_key, a.email_verified, a.profile, a.password, a.credentials_changed_at,
    a.status AS account_status, a.updated_at AS account_updated_at
FROM tenant_users u JOIN accounts a ON a.id = u.account_id;
