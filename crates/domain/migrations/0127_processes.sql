-- The processes of the deployment, as each reports itself, with how its background jobs are doing.
CREATE TABLE processes (
    id TEXT NOT NULL PRIMARY KEY,
    plane TEXT NOT NULL,
    version TEXT NOT NULL,
    jobs TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);
