-- Made of the document by the engine: whichever version writes a record, lists find it by its present name.
ALTER TABLE apps ADD COLUMN name_key TEXT GENERATED ALWAYS AS (lower(json_extract(configuration, '$.name'))) VIRTUAL;
ALTER TABLE apis ADD COLUMN name_key TEXT GENERATED ALWAYS AS (lower(json_extract(configuration, '$.name'))) VIRTUAL;
ALTER TABLE trusted_issuers ADD COLUMN name_key TEXT GENERATED ALWAYS AS (lower(json_extract(configuration, '$.name'))) VIRTUAL;
CREATE INDEX apps_by_name ON apps (tenant_id, name_key, id);
CREATE INDEX apis_by_name ON apis (tenant_id, name_key, id);
CREATE INDEX trusted_issuers_by_name ON trusted_issuers (tenant_id, name_key, id);
