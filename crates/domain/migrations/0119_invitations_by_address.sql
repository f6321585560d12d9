-- People read the invitations that wait for their address.
CREATE INDEX organization_invitations_by_address ON organization_invitations (tenant_id, email_key);
