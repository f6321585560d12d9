//! The schema, in the order in which it came to be.

use svc_db::Migration;

macro_rules! migration {
    ($version:literal, $name:literal, $file:literal) => {
        Migration {
            version: $version,
            name: $name,
            sql: include_str!(concat!("../migrations/", $file, ".sql")),
            pg: "",
            sqlite: "",
        }
    };
    ($version:literal, $name:literal, $file:literal, pg) => {
        Migration {
            pg: include_str!(concat!("../migrations/", $file, ".pg.sql")),
            ..migration!($version, $name, $file)
        }
    };
    ($version:literal, $name:literal, $file:literal, and each) => {
        Migration {
            sqlite: include_str!(concat!("../migrations/", $file, ".sqlite.sql")),
            ..migration!($version, $name, $file, pg)
        }
    };
    ($version:literal, $name:literal, $file:literal, pg alone) => {
        Migration {
            version: $version,
            name: $name,
            sql: "",
            pg: include_str!(concat!("../migrations/", $file, ".pg.sql")),
            sqlite: "",
        }
    };
    ($version:literal, $name:literal, $file:literal, each) => {
        Migration {
            version: $version,
            name: $name,
            sql: "",
            pg: include_str!(concat!("../migrations/", $file, ".pg.sql")),
            sqlite: include_str!(concat!("../migrations/", $file, ".sqlite.sql")),
        }
    };
}

/// Every migration; forward only.
pub const MIGRATIONS: &[Migration] = &[
    migration!(1, "tenants", "0001_tenants"),
    migration!(2, "coordination", "0002_coordination"),
    migration!(3, "people", "0003_people", pg),
    migration!(4, "applications", "0004_applications", pg),
    migration!(5, "sessions and grants", "0005_sessions_and_grants", pg),
    migration!(6, "records", "0006_records", pg),
    migration!(7, "idempotency", "0007_idempotency", pg),
    migration!(10, "pushed requests", "0010_par", pg),
    migration!(12, "polled requests", "0012_polled_requests", pg),
    migration!(13, "delegations", "0013_delegations", pg),
    migration!(14, "registrations", "0014_registrations", pg),
    migration!(15, "logouts", "0015_logouts", pg),
    migration!(16, "signals", "0016_signals", pg),
    migration!(17, "consented details", "0017_consented_details", pg),
    migration!(18, "details of delegations", "0018_details_of_delegations"),
    migration!(19, "changed credentials", "0019_changed_credentials"),
    migration!(20, "keyring", "0020_keyring"),
    migration!(22, "sessions of approvals", "0022_sessions_of_approvals"),
    migration!(23, "changed since", "0023_changed_since", pg),
    migration!(24, "sealed mails", "0024_sealed_mails"),
    migration!(25, "overlapping secrets", "0025_overlapping_secrets"),
    migration!(26, "managed accounts", "0026_managed_accounts"),
    migration!(27, "deliveries", "0027_deliveries", pg),
    migration!(28, "sealed authorization", "0028_sealed_authorization"),
    migration!(29, "clock", "0029_clock"),
    migration!(30, "changed people", "0030_changed_people"),
    migration!(31, "names to search", "0031_names_to_search", each),
    migration!(32, "lean writes", "0032_lean_writes", pg),
    migration!(33, "tenant keys", "0033_tenant_keys", pg),
    migration!(34, "operators", "0034_operators"),
    migration!(35, "months", "0035_months", pg alone),
    migration!(36, "months begin", "0036_months_begin", pg alone),
    migration!(37, "keys of tenants", "0037_keys_of_tenants"),
    migration!(38, "webhooks", "0038_webhooks", pg),
    migration!(41, "roles", "0041_roles", and each),
    migration!(42, "groups", "0042_groups", and each),
    migration!(43, "organizations", "0043_organizations", and each),
    migration!(46, "API keys", "0046_api_keys", pg),
    migration!(47, "order of events", "0047_order_of_events", and each),
    migration!(51, "audit chain", "0051_audit_chain", and each),
    migration!(53, "organizations in tokens", "0053_organizations_in_tokens"),
    migration!(55, "policies", "0055_policies", and each),
    migration!(56, "plans", "0056_plans"),
    migration!(57, "imports", "0057_imports", pg),
    migration!(58, "SCIM", "0058_scim", and each),
    migration!(59, "organization invitations", "0059_organization_invitations", pg),
    migration!(60, "organization domains", "0060_organization_domains", pg),
    migration!(64, "audit streams", "0064_audit_streams", pg),
    migration!(66, "metadata", "0066_metadata", each),
    migration!(69, "hooks", "0069_hooks", pg),
    migration!(70, "account credentials", "0070_account_credentials"),
    migration!(73, "SSO connections", "0073_sso_connections", pg),
    migration!(74, "domain checks", "0074_domain_checks"),
    migration!(75, "sign-in rules", "0075_sign_in_rules"),
    migration!(85, "kinds of links", "0085_kinds_of_links", each),
    migration!(86, "people who leave", "0086_people_who_leave"),
    migration!(87, "kinds of credentials", "0087_kinds_of_credentials", each),
    migration!(88, "login history", "0088_login_history", pg),
    migration!(89, "guests", "0089_guests", each),
    migration!(91, "guardians", "0091_guardians", pg),
    migration!(92, "recovery cases", "0092_recovery_cases", pg),
    migration!(93, "impersonations", "0093_impersonations", pg),
    migration!(94, "custom domains", "0094_custom_domains", pg),
    migration!(97, "hook modules", "0097_hook_modules", pg),
    migration!(100, "API keys of organizations", "0100_organization_api_keys"),
    migration!(101, "trusted issuers of organizations", "0101_organization_issuers", pg),
    migration!(110, "SCIM schemas", "0110_scim_schemas", pg),
    migration!(111, "SCIM targets", "0111_scim_targets", pg),
    migration!(115, "own texts", "0115_own_texts", pg),
    migration!(116, "terms", "0116_terms", pg),
    migration!(117, "sign-up fields", "0117_sign_up_fields", pg),
    migration!(118, "monthly uses", "0118_monthly_uses", pg),
    migration!(119, "invitations by address", "0119_invitations_by_address"),
    migration!(120, "names of people", "0120_names_of_people", and each),
    migration!(124, "operator roles", "0124_operator_roles"),
    migration!(125, "feature switches", "0125_feature_switches"),
    migration!(126, "connectors", "0126_connectors", pg),
    migration!(127, "processes", "0127_processes"),
    migration!(128, "list filters", "0128_list_filters"),
    migration!(129, "narrowed lists", "0129_narrowed_lists", and each),
    migration!(130, "lists of who acts", "0130_lists_of_acting"),
    migration!(131, "lists of people", "0131_lists_of_people"),
    migration!(132, "lean indexes", "0132_lean_indexes"),
    migration!(135, "event filters", "0135_event_filters"),
    migration!(136, "types of deliveries", "0136_types_of_deliveries", each),
    migration!(141, "leases of deliveries", "0141_leases_of_deliveries"),
    migration!(142, "groups of people", "0142_groups_of_people", each),
    migration!(150, "given passwords", "0150_given_passwords"),
    migration!(160, "SCIM suspensions", "0160_scim_suspensions"),
    migration!(165, "delivered deliveries", "0165_delivered_deliveries"),
    migration!(170, "lean references", "0170_lean_references", pg alone),
    migration!(180, "former EdDSA", "0180_former_eddsa"),
    migration!(185, "ended deliveries", "0185_ended_deliveries"),
    migration!(212, "named since", "0212_named_since"),
    migration!(240, "address changes", "0240_address_changes"),
    migration!(250, "sessions of providers by their names", "0250_sso_sessions_by_sid"),
    migration!(280, "outbox in order", "0280_outbox_in_order"),
    migration!(310, "status before", "0310_status_before"),
    migration!(320, "withdrawn sessions", "0320_withdrawn_sessions"),
    migration!(322, "sessions of connectors", "0322_sessions_of_connectors"),
    migration!(335, "inviters", "0335_inviters"),
    migration!(345, "look-ups of SCIM", "0345_scim_lookups", each),
    migration!(348, "sizes of organizations", "0348_sizes_of_organizations", each),
    migration!(355, "ids of several systems", "0355_ids_of_several_systems"),
    migration!(356, "credentials added in a session", "0356_credentials_added_in"),
    migration!(372, "lean tenants", "0372_lean_tenants", pg alone),
    migration!(373, "names of new members", "0373_names_of_new_members", pg alone),
    migration!(374, "history of webhooks", "0374_history_of_webhooks"),
];
