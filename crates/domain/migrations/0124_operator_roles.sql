-- How far an operator may go; null, as before there were roles, is everything.
ALTER TABLE accounts ADD COLUMN operator_role TEXT;
