-- Anyone can ask for a session by what a provider calls it: one is found, or none, without looking at the others of the provider.
CREATE INDEX sso_sessions_by_sid ON sso_sessions (tenant_id, connection_id, sid) WHERE sid IS NOT NULL;
