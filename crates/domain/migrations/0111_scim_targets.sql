-- Applications to which a tenant's people are pushed (RFC 7644).
CREATE TABLE scim_targets (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    configuration TEXT NOT NULL,
    active BOOLEAN NOT NULL,
    -- What proves the service to the application.
    sealed_secret BYTEA NOT NULL,
    -- It was led along the tenant's events up to this position.
    position BIGINT NOT NULL,
    -- After which person the search for those who have no link yet goes on; nothing where it has ended.
    backfill_after TEXT,
    -- Until when the application is left alone.
    held_until BIGINT NOT NULL,
    -- When it last took something, since when it has taken nothing, when that was last tried, how often since then, and why it failed.
    succeeded_at BIGINT,
    failing_since BIGINT,
    last_failed_at BIGINT,
    failures BIGINT NOT NULL,
    last_error TEXT,
    -- Why the service switched it off.
    deactivated_because TEXT,
    -- The subject of the person who made it, and whether a mail has to tell that person of the deactivation.
    owner TEXT,
    owner_to_be_told BOOLEAN NOT NULL,
    tested_at BIGINT NOT NULL,
    synced_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

-- Whom a target gets, as its configuration says: everyone, or the people of an organization, with a role, in a group.
CREATE TABLE scim_target_people (
    tenant_id TEXT NOT NULL,
    target_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('everyone', 'organization', 'role', 'group')),
    value TEXT NOT NULL,
    PRIMARY KEY (tenant_id, target_id, kind, value),
    FOREIGN KEY (tenant_id, target_id) REFERENCES scim_targets (tenant_id, id) ON DELETE CASCADE
);

-- What a person or a group of the tenant is at the application. It outlives the person: the account there has to be removed.
CREATE TABLE scim_links (
    tenant_id TEXT NOT NULL,
    target_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('user', 'group')),
    local_id TEXT NOT NULL,
    remote_id TEXT,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'linked', 'deactivated', 'failed', 'gone')),
    -- A digest of what was last pushed, and the names of its attributes; nothing where it is pushed whatever it is.
    pushed TEXT,
    -- It may have been created there without our knowing its id: it is looked for first.
    may_exist BOOLEAN NOT NULL,
    -- The groups of the person have to be pushed, because the person's account has come or gone.
    regroup BOOLEAN NOT NULL,
    -- Grows with each reason to look at it, and what it was when it was last looked at to the end.
    wanted BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    -- The delivery that waits for it, at most one.
    delivery_id TEXT,
    -- When the person had last changed at that time.
    person_at BIGINT NOT NULL,
    pushed_at BIGINT,
    last_error TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, target_id, kind, local_id),
    -- No account there is that of two people.
    UNIQUE (tenant_id, target_id, kind, remote_id),
    FOREIGN KEY (tenant_id, target_id) REFERENCES scim_targets (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX scim_links_waiting ON scim_links (tenant_id, target_id, kind, created_at) WHERE wanted > seen;
CREATE INDEX scim_links_by_person ON scim_links (tenant_id, local_id);
CREATE INDEX scim_links_to_regroup ON scim_links (tenant_id, target_id) WHERE regroup;
CREATE INDEX scim_links_gone ON scim_links (tenant_id, target_id) WHERE state = 'gone';
