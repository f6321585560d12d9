-- Pages of the people of one type, of every status and of one. Statements say the type in these words.
CREATE INDEX tenant_users_by_type
    ON tenant_users (tenant_id, (CASE WHEN guest_used_at IS NULL THEN 'human' ELSE 'anonymous' END), id);
CREATE INDEX tenant_users_by_type_and_status
    ON tenant_users (tenant_id, (CASE WHEN guest_used_at IS NULL THEN 'human' ELSE 'anonymous' END), status, id);
