-- What operators have switched off for the whole deployment while it runs: one row.
CREATE TABLE feature_switches (
    id TEXT NOT NULL PRIMARY KEY CHECK (id = 'deployment'),
    switched_off TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL
);
INSERT INTO feature_switches (id, switched_off, updated_at, version) VALUES ('deployment', '{}', 0, 1);
