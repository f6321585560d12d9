-- An index that has all that is read was taken for better than the one by user, so that all memberships of a directory were read to find
-- the groups of one person.
DROP INDEX scim_group_members_by_user;
CREATE INDEX scim_group_members_by_user ON scim_group_members (tenant_id, organization_id, user_id, group_id);
