-- Shared Signals (OpenID SSF 1.0): who wants to be told of what, and what waits to be told.
CREATE TABLE signal_streams (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    app_id TEXT NOT NULL,
    method TEXT NOT NULL CHECK (method IN ('push', 'poll')),
    endpoint_url TEXT,
    -- What the receiver wants to see with each push, as it gave it.
    authorization_header TEXT,
    events_requested TEXT NOT NULL,
    description TEXT,
    status TEXT NOT NULL CHECK (status IN ('enabled', 'paused', 'disabled')),
    reason TEXT,
    -- When a verification was last asked for.
    verified_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    CHECK ((method = 'push') = (endpoint_url IS NOT NULL)),
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX signal_streams_by_app ON signal_streams (tenant_id, app_id);

CREATE TABLE signal_events (
    tenant_id TEXT NOT NULL,
    -- The `jti`.
    id TEXT NOT NULL,
    stream_id TEXT NOT NULL,
    -- About whom; empty where it is about the stream.
    about TEXT NOT NULL,
    -- Emptied once it has ended.
    payload TEXT NOT NULL,
    -- Told even while the stream is paused.
    is_notice BOOLEAN NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('due', 'taken', 'failed')),
    failures BIGINT NOT NULL,
    happened_at BIGINT NOT NULL,
    -- When it is to be pushed, or the end of an attempt's lease; nothing where it waits to be polled or for a paused stream.
    due_at BIGINT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, stream_id) REFERENCES signal_streams (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX signal_events_due ON signal_events (due_at) WHERE state = 'due';
CREATE INDEX signal_events_waiting ON signal_events (tenant_id, stream_id, happened_at, id) WHERE state = 'due';
CREATE INDEX signal_events_by_person ON signal_events (tenant_id, stream_id, about, happened_at, id) WHERE state = 'due';
CREATE INDEX signal_events_by_time ON signal_events (created_at);

-- Causes of signals stand in the outbox until they have been handed to the streams.
CREATE INDEX outbox_signals ON outbox (tenant_id, id) WHERE type = 'signal';
CREATE INDEX outbox_signals_everywhere ON outbox (id) WHERE type = 'signal_everywhere';

-- The session in which the same person went on; whoever knows this one is told when that one ends.
ALTER TABLE sessions ADD COLUMN continued_as TEXT;
