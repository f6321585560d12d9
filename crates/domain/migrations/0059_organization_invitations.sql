-- Invitations to organizations that no one has accepted yet; what became of an invitation is in the audit log.
CREATE TABLE organization_invitations (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    roles TEXT NOT NULL,
    digest BYTEA NOT NULL,
    lifetime BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    sent_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, digest),
    UNIQUE (tenant_id, organization_id, email_key),
    FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX organization_invitations_expiry ON organization_invitations (expires_at);
