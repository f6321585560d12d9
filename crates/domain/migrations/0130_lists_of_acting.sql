-- Who acts for whom, as it is listed newest first: for one person, by one who acts, and in one state. The states of delegations have an
-- index each: one of all states would seem to SQLite as good as that of a token or a session, and what ends the delegations of one token
-- would read all live ones of the tenant.
CREATE INDEX delegations_of_people ON delegations (tenant_id, tenant_user_id, id);
CREATE INDEX delegations_of_actors ON delegations (tenant_id, actor_app_id, id);
CREATE INDEX delegations_live ON delegations (tenant_id, id) WHERE state = 'live';
CREATE INDEX delegations_revoked ON delegations (tenant_id, id) WHERE state = 'revoked';
CREATE INDEX impersonations_of_people ON impersonations (tenant_id, tenant_user_id, id);
CREATE INDEX impersonations_of_staff ON impersonations (tenant_id, staff_id, id);
CREATE INDEX impersonations_not_begun ON impersonations (tenant_id, id) WHERE state IN ('waiting', 'ready');
CREATE INDEX impersonations_refused ON impersonations (tenant_id, id) WHERE state = 'refused';
CREATE INDEX impersonations_begun_or_ended ON impersonations (tenant_id, id) WHERE state IN ('active', 'ended');

-- Each is the beginning of one above.
DROP INDEX delegations_by_user;
DROP INDEX delegations_by_actor;
DROP INDEX impersonations_by_person;
DROP INDEX impersonations_by_staff;
