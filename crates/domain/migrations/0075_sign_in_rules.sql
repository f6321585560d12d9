-- How members must have signed in for tokens that count in an organization; null where nothing is demanded.
ALTER TABLE organizations ADD COLUMN sign_in_rules TEXT;
