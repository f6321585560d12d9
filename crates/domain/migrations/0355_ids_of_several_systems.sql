-- People of two systems who have the same id there: an export asks for them page by page. The source is in it, since SQLite takes an
-- index that has all that is read for better than one that leads to fewer rows.
CREATE INDEX imported_people_by_external_id ON imported_people (external_id, tenant_id, source);
