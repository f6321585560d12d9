-- The session in which a credential was added: every other session that had begun before was never asked for it.
ALTER TABLE account_credentials ADD COLUMN added_in TEXT;
