-- Kinds of links are the program's to know.
ALTER TABLE links DROP CONSTRAINT links_kind_check;
