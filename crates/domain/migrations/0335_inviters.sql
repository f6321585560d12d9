-- The person who gave an invitation last, and whether as a member of the organization (1) or not (0): it counts no longer than that person
-- may give it. Null is: an application, or not known.
ALTER TABLE organization_invitations ADD COLUMN inviter_id TEXT;
ALTER TABLE organization_invitations ADD COLUMN inviter_is_member BIGINT;
