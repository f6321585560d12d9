-- The members of an organization who have a role, in the order of their list.
CREATE INDEX organization_roles_of_members ON organization_roles (tenant_id, organization_id, role, tenant_user_id);
-- The deliveries of a subscription that were given up: few among many.
CREATE INDEX deliveries_of_webhooks_failed ON deliveries (tenant_id, receiver, id)
    WHERE queue = 'webhooks' AND state = 'failed';
