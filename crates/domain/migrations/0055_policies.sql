-- Documents that decide whether somebody may do something.
CREATE TABLE policies (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('draft', 'shadow', 'active', 'archived')),
    -- In which alone it decides; without one, in all of the tenant.
    organization_id TEXT,
    configuration TEXT NOT NULL,
    -- The bytes of what is compiled.
    size BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX policies_by_organization ON policies (tenant_id, organization_id);
CREATE INDEX policies_by_status ON policies (tenant_id, status, id);

-- What a policy was after each change.
CREATE TABLE policy_versions (
    tenant_id TEXT NOT NULL,
    policy_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    status TEXT NOT NULL,
    organization_id TEXT,
    configuration TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, policy_id, number),
    FOREIGN KEY (tenant_id, policy_id) REFERENCES policies (tenant_id, id) ON DELETE CASCADE
);

-- By which every node knows that the policies of a tenant are others than those in its memory.
CREATE TABLE policy_sets (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    generation BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id)
);
CREATE INDEX policy_sets_by_change ON policy_sets (updated_at);

-- The last decisions, as far as they were written down.
CREATE TABLE policy_decisions (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    id TEXT NOT NULL,
    at BIGINT NOT NULL,
    request_id TEXT NOT NULL,
    permitted BOOLEAN NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX policy_decisions_by_time ON policy_decisions (at);

-- What versions of policies in the shadow would have changed.
CREATE TABLE policy_shadows (
    tenant_id TEXT NOT NULL REFERENCES tenants (id),
    policy_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    evaluated BIGINT NOT NULL,
    differed BIGINT NOT NULL,
    last_differed_at BIGINT,
    PRIMARY KEY (tenant_id, policy_id, number)
);
