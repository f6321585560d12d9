-- Since when the names of a person have meant this person, and one who is active: what was asked of a name before is not theirs to
-- answer (OpenID CIBA §7.1). Null is: since the row was made.
ALTER TABLE tenant_users ADD COLUMN named_since BIGINT;
ALTER TABLE accounts ADD COLUMN named_since BIGINT;
