-- What a delegation permits in detail (RFC 9396).
ALTER TABLE delegations ADD COLUMN authorization_details TEXT NOT NULL DEFAULT '[]';
