-- Accounts that someone asked to recover by their guardians. Threshold and time of waiting are those of the opening.
CREATE TABLE recovery_cases (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    -- 'open', 'lapsed', 'cancelled' or 'finished': states are the program's to know.
    state TEXT NOT NULL,
    threshold BIGINT NOT NULL,
    wait_secs BIGINT NOT NULL,
    opened_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, tenant_user_id) REFERENCES tenant_users (tenant_id, id)
);
CREATE UNIQUE INDEX recovery_cases_open ON recovery_cases (tenant_id, tenant_user_id) WHERE state = 'open';
CREATE INDEX recovery_cases_by_person ON recovery_cases (tenant_id, tenant_user_id, opened_at);
CREATE INDEX recovery_cases_expiry ON recovery_cases (expires_at);

-- Browsers that asked, each with a code of its own: what guardians confirm for one of them counts for no other.
CREATE TABLE recovery_browsers (
    tenant_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    case_id TEXT NOT NULL,
    code_digest BYTEA NOT NULL,
    opened_at BIGINT NOT NULL,
    -- The network of the address, never the address.
    network TEXT NOT NULL,
    browser TEXT NOT NULL,
    os TEXT NOT NULL,
    PRIMARY KEY (tenant_id, digest),
    FOREIGN KEY (tenant_id, case_id) REFERENCES recovery_cases (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX recovery_browsers_by_case ON recovery_browsers (tenant_id, case_id, opened_at);

-- The last word of each guardian: the browser whose code was typed, or null for a refusal.
CREATE TABLE recovery_answers (
    tenant_id TEXT NOT NULL,
    case_id TEXT NOT NULL,
    guardian_id TEXT NOT NULL,
    browser_digest BYTEA,
    at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, case_id, guardian_id),
    FOREIGN KEY (tenant_id, case_id) REFERENCES recovery_cases (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, guardian_id) REFERENCES guardians (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, browser_digest) REFERENCES recovery_browsers (tenant_id, digest) ON DELETE CASCADE
);
CREATE INDEX recovery_answers_by_browser ON recovery_answers (tenant_id, browser_digest);
CREATE INDEX recovery_answers_by_guardian ON recovery_answers (tenant_id, guardian_id);
