-- Each node asks every second what has changed since it last looked.
CREATE INDEX tenants_by_update ON tenants (updated_at);
CREATE INDEX apps_by_update ON apps (updated_at);
CREATE INDEX apis_by_update ON apis (updated_at);
