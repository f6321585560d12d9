-- When an application stopped asking for EdDSA: what was signed with it before is verified for a while with the key that its tenant
-- publishes.
ALTER TABLE apps ADD COLUMN eddsa_ended_at BIGINT;
CREATE INDEX apps_with_former_eddsa ON apps (eddsa_ended_at) WHERE eddsa_ended_at IS NOT NULL;

-- When the algorithm of a key was last that of access tokens, to the half day: what it signed then is verified after another was chosen.
ALTER TABLE signing_keys ADD COLUMN default_at BIGINT;
