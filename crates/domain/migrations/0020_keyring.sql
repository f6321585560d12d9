-- The versions of the keyring that something in this database may be sealed under.
CREATE TABLE keyring_versions (
    id BIGINT PRIMARY KEY,
    -- Derived from the key; says nothing about it.
    fingerprint TEXT NOT NULL,
    noted_at BIGINT NOT NULL
);

-- Which key signs follows from these two; `state` is for people who look at the table.
ALTER TABLE signing_keys ADD COLUMN signs_from BIGINT;
-- The key that it follows, empty for the first of its algorithm; null for those of processes that kept them in memory.
ALTER TABLE signing_keys ADD COLUMN predecessor TEXT;
-- Of several nodes that make the same successor one wins.
CREATE UNIQUE INDEX signing_keys_in_order ON signing_keys (algorithm, predecessor);

-- Since when an application wants its tokens signed with EdDSA: only then its tenant publishes such a key.
ALTER TABLE apps ADD COLUMN eddsa_since BIGINT;
UPDATE apps SET eddsa_since = updated_at WHERE configuration LIKE '%_signed_response_alg":"EdDSA"%';
CREATE INDEX apps_with_eddsa ON apps (tenant_id) WHERE eddsa_since IS NOT NULL;
