-- A rotation writes two rows of this table. A reference to the family had an index of its own and served one question: which tokens go
-- with a family that is removed. None need to: no token outlives its family, and a token is found only together with it. The table is
-- renamed first, so that on PostgreSQL no other process writes to it until the copy is committed.
ALTER TABLE refresh_tokens RENAME TO refresh_tokens_before;
CREATE TABLE refresh_tokens (
    tenant_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    family_id TEXT NOT NULL,
    state TEXT NOT NULL CONSTRAINT refresh_tokens_states CHECK (state IN ('live', 'spent')),
    -- The next three hold room until the token is spent: a row that does not grow is written where it stands.
    -- The next token, sealed under this one: only its holder can be given it again.
    successor BYTEA,
    spent_at BIGINT,
    -- What the spender asked for; a repeated answer must be to the same question.
    spent_for TEXT,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, digest)
);
INSERT INTO refresh_tokens (tenant_id, digest, family_id, state, successor, spent_at, spent_for, expires_at)
SELECT tenant_id, digest, family_id, state, successor, spent_at, spent_for, expires_at FROM refresh_tokens_before;
DROP TABLE refresh_tokens_before;
CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);
