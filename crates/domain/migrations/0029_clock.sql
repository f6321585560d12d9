-- The highest time that has settled: what expired later is not forgotten, because the clock may have jumped.
CREATE TABLE clock (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    settled_at BIGINT NOT NULL
);
