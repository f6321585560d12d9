-- The accounts that operate the deployment, and since when. No tenant's role says so.
ALTER TABLE accounts ADD COLUMN operator_since BIGINT;
CREATE INDEX accounts_that_operate ON accounts (id) WHERE operator_since IS NOT NULL;
