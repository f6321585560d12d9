-- Made of the document by the engine.
ALTER TABLE policies ADD COLUMN name_key TEXT GENERATED ALWAYS AS (lower(json_extract(configuration, '$.name'))) VIRTUAL;
CREATE INDEX policies_by_name ON policies (tenant_id, name_key, id);
