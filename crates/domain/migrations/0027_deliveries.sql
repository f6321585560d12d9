-- Everything that is sent to others waits in one table until it is taken or given up. What waits in the tables of earlier versions
-- (mails, logout_deliveries, signal_events) is moved here by a job, because processes of those versions go on queueing there.
CREATE TABLE deliveries (
    tenant_id TEXT NOT NULL,
    -- The same in every attempt.
    id TEXT NOT NULL,
    -- Whose payload it is.
    queue TEXT NOT NULL,
    -- The application that it goes with.
    app_id TEXT,
    -- What waits together when there is no answer; empty where each delivery waits for itself.
    receiver TEXT NOT NULL,
    -- Within a receiver, what keeps its order.
    topic TEXT NOT NULL,
    -- Goes out even while its receiver is paused.
    is_notice BOOLEAN NOT NULL,
    -- Emptied once it has ended.
    payload TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('due', 'taken', 'failed')),
    failures BIGINT NOT NULL,
    happened_at BIGINT NOT NULL,
    -- When it is to be tried, or the end of an attempt's lease; nothing where its receiver fetches it, or is paused.
    due_at BIGINT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, app_id) REFERENCES apps (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX deliveries_due ON deliveries (queue, due_at) WHERE state = 'due';
CREATE INDEX deliveries_waiting ON deliveries (tenant_id, receiver, happened_at, id) WHERE state = 'due';
CREATE INDEX deliveries_by_topic ON deliveries (tenant_id, receiver, topic, happened_at, id) WHERE state = 'due';
CREATE INDEX deliveries_by_app ON deliveries (tenant_id, app_id) WHERE app_id IS NOT NULL;
CREATE INDEX deliveries_by_time ON deliveries (created_at);
