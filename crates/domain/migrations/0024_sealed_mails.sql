-- What a mail says, links that are as good as a password among it, sealed under the deployment's keyring. Mails that were queued
-- before have their text in the two columns, which are empty from now on.
ALTER TABLE mails ADD COLUMN content BYTEA;
