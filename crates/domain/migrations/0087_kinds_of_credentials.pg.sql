-- Kinds of credentials are the program's to know.
ALTER TABLE account_credentials DROP CONSTRAINT account_credentials_kind_check;
