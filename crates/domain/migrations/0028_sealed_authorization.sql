-- What a receiver of signals wants to see in `Authorization`, sealed under the deployment's keyring. What earlier versions stored stands
-- in `authorization_header` until a job has sealed it.
ALTER TABLE signal_streams ADD COLUMN sealed_authorization BYTEA;
CREATE INDEX signal_streams_readable ON signal_streams (tenant_id, id) WHERE authorization_header IS NOT NULL;
