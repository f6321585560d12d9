-- Authorization requests that applications push ahead of the browser (RFC 9126).
CREATE TABLE par_requests (
    tenant_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    app_id TEXT NOT NULL,
    parameters TEXT NOT NULL,
    -- The key that the application proved with the push, by its thumbprint (RFC 9449 §10.1).
    dpop_jkt TEXT,
    state TEXT NOT NULL CHECK (state IN ('live', 'spent')),
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, digest),
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX par_requests_expiry ON par_requests (expires_at);
