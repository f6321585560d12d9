-- Made of the document by the engine: whichever version writes a record, lists find it by its present name. Ordered by its
-- bytes, so that the beginning of a name is a range of the index, and both engines agree on the order.
ALTER TABLE apps ADD COLUMN name_key TEXT COLLATE "C" GENERATED ALWAYS AS (lower((CAST(configuration AS json) ->> 'name') COLLATE "C")) STORED;
ALTER TABLE apis ADD COLUMN name_key TEXT COLLATE "C" GENERATED ALWAYS AS (lower((CAST(configuration AS json) ->> 'name') COLLATE "C")) STORED;
ALTER TABLE trusted_issuers ADD COLUMN name_key TEXT COLLATE "C" GENERATED ALWAYS AS (lower((CAST(configuration AS json) ->> 'name') COLLATE "C")) STORED;
CREATE INDEX apps_by_name ON apps (tenant_id, name_key, id);
CREATE INDEX apis_by_name ON apis (tenant_id, name_key, id);
CREATE INDEX trusted_issuers_by_name ON trusted_issuers (tenant_id, name_key, id);
