-- Whether it is the directory that keeps a suspended person out: 1 where it is, 0 where the tenant does. Nothing where that is not known:
-- what the directory said last tells then.
ALTER TABLE scim_users ADD COLUMN keeps_out BIGINT;
