-- What a tenant that is being deleted was before: what was suspended is so again when it is restored. Null is: it answered.
ALTER TABLE tenants ADD COLUMN status_before TEXT CHECK (status_before IN ('active', 'suspended'));
