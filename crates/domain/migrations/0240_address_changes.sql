-- The changes of the address that the owner of an address before can still take back, in their order; null is none.
ALTER TABLE accounts ADD COLUMN address_changes TEXT;
