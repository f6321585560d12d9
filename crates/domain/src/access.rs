//! The rights of each database role on each table of PostgreSQL. `svc-runtime db roles` generates its SQL from this declaration. No role
//! has rights on a table that is not declared; a test compares the declaration with the tables of the schema.

/// A role of the database, for one use of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Processes of the plane `auth`.
    Auth,
    /// Processes of the plane `control`.
    Control,
    /// Processes of the plane `async`.
    Async,
    /// Deletion of expired records, and sealing them again under new keys: `database.maintenance_url`.
    Maintenance,
    /// The plane `all`, and the commands that manage tenants and accounts: `database.identity_url`.
    Identity,
}

/// Where the SQL is for.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The schema of the tables.
    pub schema: &'a str,
    /// What the names of the roles begin with.
    pub prefix: &'a str,
}

/// A table or view, and what each role may do with it, in PostgreSQL's letters: `r` reads rows, `a` appends, `w` changes,
/// `d` deletes them.
pub struct Table {
    /// Its name.
    pub name: &'static str,
    rights: [&'static str; 5],
}

macro_rules! tables {
    ($($name:ident: $auth:literal $control:literal $async:literal $maintenance:literal $identity:literal;)+) => {
        /// Every table and view of the schema.
        pub const TABLES: &[Table] = &[$(
            Table { name: stringify!($name), rights: [$auth, $control, $async, $maintenance, $identity] },
        )+];
    };
}

// A letter that is missing fails the test of the plane that needs it: `SVC_TEST_NODES=planes` runs all tests with these roles.
tables! {
    //                    auth   control async  maintenance identity
    account_attempts:     "arwd" "rd"    ""     "rd"        "arwd";
    account_credentials:  "arwd" "ard"   ""     "rd"        "arwd";
    // Maintenance empties those that belong to no tenant any more when one ends, and a trigger writes `tenant_user_names`.
    accounts:             "arw"  "arw"   "r"    "rwd"       "arwd";
    api_keys:             "rwd"  "arwd"  ""     "rd"        "arwd";
    apis:                 "rw"   "arwd"  "r"    "rd"        "arwd";
    app_origins:          "ard"  "ard"   "r"    "rd"        "ard";
    apps:                 "arwd" "arwd"  "rw"   "rd"        "arwd";
    audit_chains:         ""     "rw"    "arw"  "r"         "arw";
    audit_checkpoints:    ""     "r"     "arw"  "rd"        "arwd";
    // What may be changed and deleted of it, a trigger decides.
    audit_log:            "ar"   "ar"    "arw"  "ard"       "arwd";
    audit_streams:        ""     "arwd"  "rw"   "rd"        "arwd";
    ciba_requests:        "arw"  "rw"    "r"    "rd"        "arwd";
    clock:                "arw"  "arw"   "arw"  ""          "arw";
    codes:                "arwd" "rwd"   "rw"   "rd"        "arwd";
    connector_sets:       "r"    "arw"   "r"    "rd"        "arwd";
    connectors:           "r"    "arwd"  ""     "rd"        "arwd";
    consented_details:    "ard"  "rd"    ""     "rd"        "ard";
    consents:             "arwd" "rd"    "r"    "rd"        "arwd";
    coordination_entries: "arwd" "arwd"  "arwd" ""          "arwd";
    custom_domains:       "r"    "arwd"  "r"    "rd"        "arwd";
    delegations:          "arw"  "arw"   "rw"   "rd"        "arwd";
    deliveries:           "arwd" "arwd"  "arwd" "arwd"      "arwd";
    deployment:           "r"    "r"     "r"    "r"         "r";
    device_codes:         "arw"  "rw"    "r"    "rd"        "arwd";
    event_positions:      ""     "r"     "arw"  "rd"        "arwd";
    events:               ""     "r"     "ar"   "rd"        "ard";
    feature_switches:     "r"    "rw"    "r"    "r"         "rw";
    group_members:        "r"    "arwd"  "r"    "rd"        "arwd";
    group_nesting:        "r"    "arwd"  "r"    "rd"        "arwd";
    group_records:        "r"    "r"     "r"    ""          "r";
    group_roles:          "r"    "arwd"  "r"    "rd"        "arwd";
    guardian_rules:       "arwd" "rd"    ""     "rd"        "arwd";
    guardians:            "arwd" "rd"    ""     "rd"        "arwd";
    hook_modules:         "r"    "ard"   ""     "rd"        "ard";
    hook_sets:            "r"    "arw"   "r"    "rd"        "arwd";
    hooks:                "r"    "arwd"  ""     "rd"        "arwd";
    idempotency_keys:     "arwd" "arwd"  ""     "rd"        "arwd";
    import_chunks:        ""     "arw"   ""     "rd"        "arwd";
    impersonations:       "rw"   "arw"   "rw"   "rd"        "arwd";
    imported_people:      "r"    "arwd"  ""     "rd"        "arwd";
    imports:              ""     "arw"   ""     "rd"        "arwd";
    intake_sets:          "r"    "arw"   "r"    "rd"        "arwd";
    keyring_versions:     "ar"   "ar"    "ar"   ""          "ar";
    links:                "arw"  "arw"   ""     "rd"        "arwd";
    login_history:        "arw"  "rd"    ""     "rd"        "arwd";
    logout_deliveries:    ""     ""      ""     "rd"        "rd";
    look_sets:            "r"    "arw"   "r"    "rd"        "arwd";
    mails:                ""     ""      ""     "rd"        "rd";
    monthly_uses:         ""     "arw"   ""     "rd"        "arwd";
    organization_domains: "r"    "arwd"  "rw"   "rd"        "arwd";
    organization_invitations: "rd" "arwd" "" "rd"       "arwd";
    organization_members: "arwd" "arwd"  "r"    "rd"        "arwd";
    organization_records: "r"    "r"     "r"    ""          "r";
    organization_roles:   "ard"  "arwd"  "r"    "rd"        "arwd";
    // A trigger writes it where members join or leave.
    organization_sizes:   "arw"  "arw"   "r"    "rwd"       "arwd";
    organization_subjects: "rd"  "arwd"  ""     "rd"        "arwd";
    organizations:        "r"    "arwd"  "r"    "rd"        "arwd";
    outbox:               "ar"   "ar"    "ard"  "ard"       "ard";
    pairwise_subjects:    "ar"   "ar"    "ar"   "rd"        "ard";
    par_requests:         "arw"  ""      ""     "rd"        "arwd";
    people:               "r"    "r"     "r"    ""          "r";
    plans:                "r"    "arwd"  "r"    "r"         "arwd";
    policies:             ""     "arwd"  ""     "rd"        "arwd";
    policy_decisions:     ""     "ard"   ""     "rd"        "ard";
    policy_sets:          "r"    "arw"   "r"    "rd"        "arwd";
    policy_shadows:       ""     "arwd"  ""     "rd"        "arwd";
    policy_versions:      ""     "ard"   ""     "rd"        "ard";
    processes:            "arwd" "arwd"  "arwd" ""          "arwd";
    recovery_answers:     "arw"  ""      ""     "rd"        "arwd";
    recovery_browsers:    "ard"  ""      ""     "rd"        "arwd";
    recovery_cases:       "arwd" "rd"    ""     "rd"        "arwd";
    refresh_families:     "arw"  "rw"    "rw"   "rwd"       "arwd";
    refresh_tokens:       "arw"  "r"     ""     "rd"        "arwd";
    registration_tokens:  "rw"   "arwd"  ""     "rd"        "arwd";
    registrations:        "arw"  "r"     ""     "rd"        "arwd";
    revocations:          "arw"  "arw"   "arw"  "ard"       "arwd";
    role_members:         "ard"  "ard"   "r"    "rd"        "ard";
    roles:                "r"    "arwd"  "r"    "rd"        "arwd";
    schema_migrations:    "r"    "r"     "r"    "r"         "r";
    scim_group_members:   "r"    "arwd"  "r"    "rd"        "arwd";
    scim_group_records:   ""     "r"     ""     ""          "r";
    scim_group_roles:     "r"    "arwd"  "r"    "rd"        "arwd";
    scim_groups:          "rd"   "arwd"  ""     "rd"        "arwd";
    scim_links:           ""     "arwd"  "arwd" "rd"        "arwd";
    scim_schemas:         ""     "arwd"  ""     "rd"        "arwd";
    scim_target_people:   ""     "ard"   "r"    "rd"        "ard";
    scim_targets:         ""     "arwd"  "rw"   "rd"        "arwd";
    scim_tokens:          ""     "arwd"  ""     "rd"        "arwd";
    scim_user_emails:     ""     "arwd"  ""     "rd"        "arwd";
    scim_user_records:    ""     "r"     ""     ""          "r";
    scim_user_values:     ""     "arwd"  ""     "rd"        "arwd";
    scim_users:           "rd"   "arwd"  ""     "rd"        "arwd";
    session_clients:      "arwd" "rwd"   "rwd"  "rd"        "arwd";
    sessions:             "arw"  "rw"    "rw"   "rd"        "arwd";
    sign_up_field_asks:   "arw"  ""      ""     "rd"        "arwd";
    sign_up_fields:       "r"    "arwd"  ""     "rd"        "arwd";
    signal_events:        ""     ""      ""     "rd"        "rd";
    signal_streams:       "r"    "arwd"  "rw"   "rwd"       "arwd";
    signing_keys:         "arw"  "arw"   "arw"  "rwd"       "arwd";
    spent_assertions:     "ar"   ""      ""     "rd"        "ard";
    sso_connections:      "rw"   "arwd"  ""     "rd"        "arwd";
    sso_identities:       "ard"  "rd"    ""     "rd"        "arwd";
    sso_sessions:         "ard"  "rd"    ""     "rd"        "arwd";
    tenant_keys:          "ar"   "ar"    "ar"   "rwd"       "arwd";
    tenant_plans:         "r"    "r"     "r"    ""          "r";
    tenant_user_names:    "arwd" "arwd"  ""     "rwd"       "arwd";
    tenant_users:         "arw"  "arw"   "r"    "rd"        "arwd";
    tenants:              "r"    "arw"   "r"    "rw"        "arw";
    terms:                "r"    "arwd"  ""     "rd"        "arwd";
    terms_acceptances:    "ar"   "r"     ""     "rd"        "ard";
    trusted_issuers:      "r"    "arwd"  ""     "rd"        "arwd";
    trusted_subjects:     "r"    "arwd"  ""     "rd"        "arwd";
    user_groups:          "r"    "arwd"  "r"    "rd"        "arwd";
    webhook_attempts:     ""     "r"     "arw"  "rd"        "arwd";
    webhooks:             ""     "arwd"  "rw"   "rd"        "arwd";
}

/// Functions of the schema that run with the rights of the tables' owner, and who may call them: the roles that remove what has
/// expired.
pub const FUNCTIONS: &[(&str, &[Role])] = &[
    ("make_months(bigint)", &[Role::Maintenance, Role::Identity]),
    ("drop_months(text, bigint, int)", &[Role::Maintenance, Role::Identity]),
    ("drop_audit_months(bigint)", &[Role::Maintenance, Role::Identity]),
];

impl Role {
    /// Every role.
    pub const ALL: [Self; 5] = [Self::Auth, Self::Control, Self::Async, Self::Maintenance, Self::Identity];

    /// Its name in a database.
    pub fn named(self, names: Names<'_>) -> String {
        let purpose = match self {
            Self::Auth => "auth",
            Self::Control => "control",
            Self::Async => "async",
            Self::Maintenance => "maintenance",
            Self::Identity => "identity",
        };
        format!("{}_{purpose}", names.prefix)
    }
}

impl Table {
    /// What a role may do with it, as PostgreSQL names the rights.
    pub fn rights(&self, role: Role) -> impl Iterator<Item = &'static str> {
        let [auth, control, jobs, maintenance, identity] = self.rights;
        let letters = match role {
            Role::Auth => auth,
            Role::Control => control,
            Role::Async => jobs,
            Role::Maintenance => maintenance,
            Role::Identity => identity,
        };
        let named = [('r', "SELECT"), ('a', "INSERT"), ('w', "UPDATE"), ('d', "DELETE")];
        named.into_iter().filter(|(letter, _)| letters.contains(*letter)).map(|(_, right)| right)
    }
}

/// Everything that a role may do: a table, and a right on it.
pub fn rights(role: Role) -> Vec<(&'static str, &'static str)> {
    TABLES.iter().flat_map(|table| table.rights(role).map(move |right| (table.name, right))).collect()
}

/// Creates the roles that are missing. They own no table, and row-level security applies to them.
pub fn creation(names: Names<'_>) -> Vec<String> {
    let create = |role: Role| {
        format!(
            "DO $$ BEGIN CREATE ROLE {} LOGIN NOSUPERUSER NOBYPASSRLS; \
             EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$",
            role.named(names)
        )
    };
    Role::ALL.into_iter().map(create).collect()
}

/// Grants each role the declared rights, and revokes all others.
pub fn grants(names: Names<'_>) -> Vec<String> {
    Role::ALL.into_iter().flat_map(|role| grants_to(role, names)).collect()
}

/// The same for one of them.
pub fn grants_to(role: Role, names: Names<'_>) -> Vec<String> {
    let (schema, name) = (names.schema, role.named(names));
    let mut statements = vec![
        format!("GRANT USAGE ON SCHEMA {schema} TO {name}"),
        format!("REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {name}"),
    ];
    for table in TABLES {
        let rights: Vec<_> = table.rights(role).collect();
        if !rights.is_empty() {
            statements.push(format!("GRANT {} ON {schema}.{} TO {name}", rights.join(", "), table.name));
        }
    }
    for (function, callers) in FUNCTIONS {
        let verb = if callers.contains(&role) { "GRANT EXECUTE" } else { "REVOKE ALL" };
        let side = if callers.contains(&role) { "TO" } else { "FROM" };
        statements.push(format!("{verb} ON FUNCTION {schema}.{function} {side} {name}"));
    }
    statements
}
