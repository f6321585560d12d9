-- Proofs of domains are looked for again: when that was, and since when they were not found.
ALTER TABLE organization_domains ADD COLUMN checked_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE organization_domains ADD COLUMN failing_since BIGINT;
ALTER TABLE organization_domains ADD COLUMN failures BIGINT NOT NULL DEFAULT 0;
CREATE INDEX organization_domains_by_check ON organization_domains (checked_at) WHERE status = 'verified';
