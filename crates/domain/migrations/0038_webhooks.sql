-- The latest position of each tenant's events: a sequencer moves what has been committed from the outbox to `events`, in order.
CREATE TABLE event_positions (
    tenant_id TEXT NOT NULL PRIMARY KEY REFERENCES tenants (id),
    last BIGINT NOT NULL
);

-- Events of a tenant by position, without gaps.
CREATE TABLE events (
    tenant_id TEXT NOT NULL REFERENCES event_positions (tenant_id),
    position BIGINT NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, position)
);
CREATE INDEX events_by_time ON events (tenant_id, created_at);
CREATE INDEX events_expiring ON events (created_at);

-- Subscriptions to events.
CREATE TABLE webhooks (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    configuration TEXT NOT NULL,
    active BOOLEAN NOT NULL,
    sealed_secret BYTEA NOT NULL,
    -- The secret before, with which deliveries are signed as well until it expires.
    sealed_former_secret BYTEA,
    former_expires_at BIGINT,
    -- Events up to this position have their deliveries.
    position BIGINT NOT NULL,
    -- What is sent again: events after the one position, up to the other.
    replay_position BIGINT,
    replay_until BIGINT,
    -- Since when no delivery has been taken, and how many attempts have failed since then.
    failing_since BIGINT,
    failures BIGINT NOT NULL,
    -- Until when nothing is sent but one delivery that finds out whether the receiver is back.
    held_until BIGINT,
    -- Why the service switched it off.
    deactivated_because TEXT,
    -- The subject of the person who made it, and whether a mail has to tell that person of the deactivation.
    owner TEXT,
    owner_to_be_told BOOLEAN NOT NULL,
    tested_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

-- What came of each attempt of a delivery.
CREATE TABLE webhook_attempts (
    tenant_id TEXT NOT NULL,
    delivery_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    took_ms BIGINT NOT NULL,
    -- Nothing where there was no answer.
    status BIGINT,
    -- The beginning of the answer.
    answer TEXT NOT NULL,
    PRIMARY KEY (tenant_id, delivery_id, number),
    FOREIGN KEY (tenant_id, delivery_id) REFERENCES deliveries (tenant_id, id) ON DELETE CASCADE
);

CREATE INDEX deliveries_of_webhooks ON deliveries (tenant_id, receiver, id) WHERE queue = 'webhooks';
CREATE INDEX deliveries_of_webhooks_by_time ON deliveries (created_at) WHERE queue = 'webhooks';
