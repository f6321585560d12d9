-- The organization to which a trusted issuer belongs, and with which it ends.
ALTER TABLE trusted_issuers ADD COLUMN organization_id TEXT;
CREATE UNIQUE INDEX trusted_issuers_of_organizations ON trusted_issuers (tenant_id, organization_id, id);

-- Which member of its organization an issuer's subject is. In a table of their own, so that a version that knows no issuers of
-- organizations believes them about no person.
CREATE TABLE organization_subjects (
    tenant_id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    issuer_id TEXT NOT NULL,
    tenant_user_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, issuer_id, tenant_user_id),
    UNIQUE (tenant_id, issuer_id, subject),
    FOREIGN KEY (tenant_id, organization_id, issuer_id) REFERENCES trusted_issuers (tenant_id, organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, organization_id, tenant_user_id)
        REFERENCES organization_members (tenant_id, organization_id, tenant_user_id) ON DELETE CASCADE
);
CREATE INDEX organization_subjects_by_member ON organization_subjects (tenant_id, organization_id, tenant_user_id);

-- The organization by whose issuer's word a delegation came to be: what follows from it stays there.
ALTER TABLE delegations ADD COLUMN vouched_by TEXT;
