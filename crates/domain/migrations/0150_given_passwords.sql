-- Whether the owner of the account has to replace the password, because another person has set it; null is no.
ALTER TABLE accounts ADD COLUMN password_must_change BOOLEAN;
