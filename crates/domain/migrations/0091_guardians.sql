-- People whom a member trusts to say who they are, invited by address; the account is known once one has accepted.
CREATE TABLE guardians (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    guardian_id TEXT,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Null once accepted.
    expires_at BIGINT,
    accepted_at BIGINT,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, tenant_user_id, email_key),
    UNIQUE (tenant_id, tenant_user_id, guardian_id),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id),
    FOREIGN KEY (tenant_id, guardian_id) REFERENCES tenant_users (tenant_id, id)
);
CREATE INDEX guardians_by_guardian ON guardians (tenant_id, guardian_id) WHERE guardian_id IS NOT NULL;
CREATE INDEX guardians_by_address ON guardians (tenant_id, email_key) WHERE accepted_at IS NULL;
CREATE INDEX guardians_expiry ON guardians (expires_at) WHERE expires_at IS NOT NULL;

-- How many of them are needed, and how long the account waits then.
CREATE TABLE guardian_rules (
    tenant_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    threshold BIGINT NOT NULL CHECK (threshold >= 2),
    wait_secs BIGINT NOT NULL CHECK (wait_secs > 0),
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, tenant_user_id),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);
