ALTER TABLE refresh_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE refresh_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_rows ON refresh_tokens
    USING (current_setting('svc.tenant_id', true) IN (tenant_id, '*'))
    WITH CHECK (current_setting('svc.tenant_id', true) IN (tenant_id, '*'));

-- A check is read and compiled with each statement that writes to its table. These words are literals of the statements that write
-- them, and SQLite, which runs the same statements, goes on checking them. `par_requests` keeps its check: a statement relies on it.
ALTER TABLE audit_log DROP CONSTRAINT audit_log_outcome_check;
ALTER TABLE refresh_tokens DROP CONSTRAINT refresh_tokens_states;
ALTER TABLE refresh_families DROP CONSTRAINT refresh_families_state_check;
ALTER TABLE codes DROP CONSTRAINT codes_state_check;
ALTER TABLE delegations DROP CONSTRAINT delegations_state_check;

-- So is the condition of a partial index, and every decision writes to the outbox.
DROP INDEX outbox_signals;
DROP INDEX outbox_signals_everywhere;
CREATE INDEX outbox_signals ON outbox (type, tenant_id, id);

-- What is spent once is written once more: with room for that on its page, no index is written again.
ALTER TABLE refresh_tokens SET (fillfactor = 50);
ALTER TABLE codes SET (fillfactor = 50);
ALTER TABLE par_requests SET (fillfactor = 50);

-- Statements are planned for any tenant. Where most tenants have a row or two, the planner would take the tenant for as good as a key, and
-- read all rows of the one that has a million: it is to plan as for a tenant that has them all.
ALTER TABLE apis ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE app_origins ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE apps ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE audit_log ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE ciba_requests ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE codes ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE consented_details ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE consents ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE delegations ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE deliveries ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE device_codes ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE idempotency_keys ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE links ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE logout_deliveries ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE mails ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE outbox ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE pairwise_subjects ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE par_requests ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE refresh_families ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE refresh_tokens ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE registration_tokens ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE registrations ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE revocations ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE session_clients ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE sessions ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE signal_events ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE signal_streams ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE spent_assertions ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE tenant_users ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE trusted_issuers ALTER COLUMN tenant_id SET (n_distinct = 1);
ALTER TABLE trusted_subjects ALTER COLUMN tenant_id SET (n_distinct = 1);
