//! The tables of a tenant: those whose rows an archive has, in an order that respects references, and those that stay behind.
//!
//! A test holds these lists against the schema: a new table stands in one of them, and a new column in its table.

use svc_db::{quiet_system_sql, system_sql};

use super::table::{
    BYTES, Column, FLAG, INT, MAYBE_BYTES, MAYBE_INT, MAYBE_TEXT, NO_INT, NO_TEXT, Of, TEXT, Table, ZERO,
    carried, insert, page,
};

carried! {
    /// What an import brings, after the tenant itself and the accounts of its people.
    CARRIED:
    "event_positions" () {
        "last": INT,
    }
    "tenant_users" ("id") {
        "id": TEXT, "account_id": TEXT, "subject": TEXT, "username": MAYBE_TEXT, "username_key": MAYBE_TEXT,
        "status": TEXT, "roles": TEXT, "metadata": TEXT, "created_at": INT, "updated_at": INT, "version": INT,
        "delete_at": MAYBE_INT, "guest_used_at": MAYBE_INT, "guest_app_id": MAYBE_TEXT, "named_since": NO_INT,
    }
    "guardians" ("id") {
        "id": TEXT, "tenant_user_id": TEXT, "guardian_id": MAYBE_TEXT, "email": TEXT, "email_key": TEXT,
        "created_at": INT, "expires_at": MAYBE_INT, "accepted_at": MAYBE_INT,
    }
    "guardian_rules" ("tenant_user_id") {
        "tenant_user_id": TEXT, "threshold": INT, "wait_secs": INT, "updated_at": INT,
    }
    "terms" ("id") {
        "id": TEXT, "terms_key": TEXT, "label": TEXT, "effective_at": INT, "document": TEXT, "created_at": INT,
        "updated_at": INT, "version": INT,
    }
    "terms_acceptances" ("tenant_user_id" "terms_id") {
        "tenant_user_id": TEXT, "terms_id": TEXT, "accepted_at": INT, "document": TEXT,
    }
    "sign_up_fields" ("id") {
        "id": TEXT, "name": TEXT, "document": TEXT, "created_at": INT, "updated_at": INT, "version": INT,
    }
    "sign_up_field_asks" ("tenant_user_id") {
        "tenant_user_id": TEXT, "sign_ins": INT, "put_off_at": MAYBE_INT,
    }
    "intake_sets" () {
        "generation": INT, "updated_at": INT,
    }
    "login_history" ("id") {
        "id": TEXT, "tenant_user_id": TEXT, "at": INT, "outcome": TEXT, "amr": TEXT, "session_id": MAYBE_TEXT,
        "network": TEXT, "browser": TEXT, "os": TEXT, "is_known_device": FLAG, "score": MAYBE_INT, "reasons": TEXT,
    }
    "imports" ("id") {
        "id": TEXT, "configuration": TEXT, "counts": TEXT, "chunks": INT, "created_at": INT, "updated_at": INT,
    }
    "import_chunks" ("import_id" "number") {
        "import_id": TEXT, "number": INT, "digest": BYTES, "outcome": TEXT,
    }
    "imported_people" ("tenant_user_id") {
        "tenant_user_id": TEXT, "source": TEXT, "external_id": MAYBE_TEXT, "document": TEXT,
        "sealed_factors": Of::MaybeSealed("sealed_factors"), "updated_at": INT,
    }
    "pairwise_subjects" ("tenant_user_id" "sector") {
        "tenant_user_id": TEXT, "sector": TEXT, "subject": TEXT,
    }
    "apps" ("id") {
        "id": TEXT, "handle": TEXT, "enabled": FLAG, "secret_digest": MAYBE_BYTES, "configuration": TEXT,
        "created_at": INT, "updated_at": INT, "version": INT, "eddsa_since": MAYBE_INT,
        "eddsa_ended_at": NO_INT,
        "secret_created_at": MAYBE_INT, "secret_used_at": MAYBE_INT, "former_secret_digest": MAYBE_BYTES,
        "former_secret_created_at": MAYBE_INT, "former_secret_used_at": MAYBE_INT,
        "former_secret_expires_at": MAYBE_INT,
    }
    "app_origins" ("origin" "app_id") {
        "app_id": TEXT, "origin": TEXT,
    }
    "apis" ("id") {
        "id": TEXT, "identifier": TEXT, "enabled": FLAG, "configuration": TEXT, "created_at": INT, "updated_at": INT,
        "version": INT,
    }
    "registrations" ("app_id") {
        "app_id": TEXT, "kind": TEXT, "digest": MAYBE_BYTES, "remarks": TEXT, "fresh_until": INT, "fetched_at": INT,
        "created_at": INT, "used_at": MAYBE_INT,
    }
    "registration_tokens" ("id") {
        "id": TEXT, "digest": BYTES, "description": TEXT, "quota": INT, "used": INT, "created_at": INT,
        "expires_at": INT,
    }
    "roles" ("id") {
        "id": TEXT, "name": TEXT, "configuration": TEXT, "created_at": INT, "updated_at": INT, "version": INT,
    }
    "user_groups" ("id") {
        "id": TEXT, "name": TEXT, "description": TEXT, "created_at": INT, "updated_at": INT, "version": INT,
    }
    "group_roles" ("group_id" "role") {
        "group_id": TEXT, "role": TEXT,
    }
    "group_members" ("group_id" "tenant_user_id") {
        "group_id": TEXT, "tenant_user_id": TEXT, "created_at": INT,
    }
    "group_nesting" ("group_id" "member_id") {
        "group_id": TEXT, "member_id": TEXT, "created_at": INT,
    }
    "consents" ("id") {
        "id": TEXT, "tenant_user_id": TEXT, "app_id": TEXT, "audience": TEXT, "scope": TEXT, "created_at": INT,
        "updated_at": INT, "snapshot": MAYBE_TEXT,
    }
    "consented_details" ("tenant_user_id" "app_id" "audience" "digest") {
        "tenant_user_id": TEXT, "app_id": TEXT, "audience": TEXT, "digest": TEXT, "created_at": INT,
    }
    "organizations" ("id") {
        "id": TEXT, "slug": TEXT, "status": TEXT, "owner_id": TEXT, "configuration": TEXT, "created_at": INT,
        "updated_at": INT, "version": INT, "sign_in_rules": MAYBE_TEXT, "texts": MAYBE_TEXT,
    }
    "organization_members" ("organization_id" "tenant_user_id") {
        "organization_id": TEXT, "tenant_user_id": TEXT, "created_at": INT, "updated_at": INT, "version": INT,
    }
    "organization_roles" ("organization_id" "tenant_user_id" "role") {
        "organization_id": TEXT, "tenant_user_id": TEXT, "role": TEXT,
    }
    "organization_invitations" ("id") {
        "id": TEXT, "organization_id": TEXT, "email": TEXT, "email_key": TEXT, "roles": TEXT, "digest": BYTES,
        "lifetime": INT, "created_at": INT, "sent_at": INT, "expires_at": INT, "version": INT,
        "inviter_id": MAYBE_TEXT, "inviter_is_member": MAYBE_INT,
    }
    "organization_domains" ("id") {
        "id": TEXT, "organization_id": TEXT, "domain": TEXT, "challenge": TEXT, "status": TEXT, "created_at": INT,
        "verified_at": MAYBE_INT, "version": INT, "checked_at": INT, "failing_since": MAYBE_INT, "failures": INT,
    }
    "trusted_issuers" ("id") {
        "id": TEXT, "issuer": TEXT, "enabled": FLAG, "configuration": TEXT, "created_at": INT, "updated_at": INT,
        "version": INT, "organization_id": MAYBE_TEXT,
    }
    "trusted_subjects" ("issuer_id" "tenant_user_id") {
        "issuer_id": TEXT, "tenant_user_id": TEXT, "subject": TEXT, "created_at": INT,
    }
    "organization_subjects" ("issuer_id" "tenant_user_id") {
        "organization_id": TEXT, "issuer_id": TEXT, "tenant_user_id": TEXT, "subject": TEXT, "created_at": INT,
    }
    "sso_connections" ("id") {
        "id": TEXT, "organization_id": TEXT, "enabled": FLAG, "enforced": FLAG, "configuration": TEXT,
        "sealed_secret": Of::MaybeSealed("sealed_secret"), "tested_at": INT, "created_at": INT, "updated_at": INT,
        "version": INT,
    }
    "connector_sets" () {
        "generation": INT, "updated_at": INT,
    }
    "connectors" ("id") {
        "id": TEXT, "name": TEXT, "configuration": TEXT, "sealed_secret": Of::MaybeSealed("sealed_secret"),
        "created_at": INT, "updated_at": INT, "version": INT,
    }
    "sso_identities" ("connection_id" "issuer" "subject") {
        "connection_id": TEXT, "issuer": TEXT, "subject": TEXT, "tenant_user_id": TEXT, "created_at": INT,
    }
    "api_keys" ("id") {
        "id": TEXT, "digest": BYTES, "former_digest": MAYBE_BYTES, "former_expires_at": MAYBE_INT,
        "tenant_user_id": MAYBE_TEXT, "name": TEXT, "scope": TEXT, "created_at": INT, "updated_at": INT,
        "expires_at": INT, "last_used_at": MAYBE_INT, "version": INT, "organization_id": MAYBE_TEXT,
    }
    "policies" ("id") {
        "id": TEXT, "status": TEXT, "organization_id": MAYBE_TEXT, "configuration": TEXT, "size": INT,
        "created_at": INT, "updated_at": INT, "version": INT,
    }
    "policy_versions" ("policy_id" "number") {
        "policy_id": TEXT, "number": INT, "status": TEXT, "organization_id": MAYBE_TEXT, "configuration": TEXT,
        "created_at": INT,
    }
    "policy_shadows" ("policy_id" "number") {
        "policy_id": TEXT, "number": INT, "evaluated": INT, "differed": INT, "last_differed_at": MAYBE_INT,
    }
    "policy_sets" () {
        "generation": INT, "updated_at": INT,
    }
    "look_sets" () {
        "generation": INT, "updated_at": INT,
    }
    "scim_schemas" ("id") {
        "id": TEXT, "urn": TEXT, "urn_key": TEXT, "name_key": TEXT, "document": TEXT, "created_at": INT,
        "updated_at": INT, "version": INT,
    }
    "scim_tokens" ("id") {
        "id": TEXT, "organization_id": TEXT, "name": TEXT, "digest": BYTES, "former_digest": MAYBE_BYTES,
        "former_expires_at": MAYBE_INT, "created_at": INT, "updated_at": INT, "expires_at": INT,
        "last_used_at": MAYBE_INT, "version": INT,
    }
    "scim_users" ("organization_id" "id") {
        "organization_id": TEXT, "id": TEXT, "user_name_key": TEXT, "external_id": MAYBE_TEXT, "document": TEXT,
        "keeps_out": MAYBE_INT, "created_at": INT, "updated_at": INT, "version": INT,
    }
    "scim_user_emails" ("organization_id" "value_key" "user_id") {
        "organization_id": TEXT, "value_key": TEXT, "user_id": TEXT,
    }
    "scim_user_values" ("schema_id" "attribute_key" "value_digest" "organization_id" "user_id") {
        "schema_id": TEXT, "attribute_key": TEXT, "value_digest": BYTES, "organization_id": TEXT, "user_id": TEXT,
        "unique_within": MAYBE_TEXT,
    }
    "scim_groups" ("organization_id" "id") {
        "organization_id": TEXT, "id": TEXT, "display_name": TEXT, "name_key": TEXT, "external_id": MAYBE_TEXT,
        "document": TEXT, "created_at": INT, "updated_at": INT, "version": INT,
    }
    "scim_group_members" ("organization_id" "group_id" "user_id") {
        "organization_id": TEXT, "group_id": TEXT, "user_id": TEXT,
    }
    "scim_group_roles" ("organization_id" "group_id" "role") {
        "organization_id": TEXT, "group_id": TEXT, "role": TEXT,
    }
    "scim_targets" ("id") {
        "id": TEXT, "configuration": TEXT, "active": FLAG, "sealed_secret": Of::Sealed("sealed_secret"),
        "position": ZERO, "backfill_after": MAYBE_TEXT, "held_until": INT, "succeeded_at": MAYBE_INT,
        "failing_since": MAYBE_INT, "last_failed_at": MAYBE_INT, "failures": INT, "last_error": MAYBE_TEXT,
        "deactivated_because": MAYBE_TEXT, "owner": MAYBE_TEXT, "owner_to_be_told": FLAG, "tested_at": INT,
        "synced_at": INT, "created_at": INT, "updated_at": INT, "version": INT,
    }
    "scim_target_people" ("target_id" "kind" "value") {
        "target_id": TEXT, "kind": TEXT, "value": TEXT,
    }
    "scim_links" ("target_id" "kind" "local_id") {
        "target_id": TEXT, "kind": TEXT, "local_id": TEXT, "remote_id": MAYBE_TEXT, "state": TEXT,
        "pushed": MAYBE_TEXT, "may_exist": FLAG, "regroup": FLAG, "wanted": INT, "seen": INT, "delivery_id": NO_TEXT,
        "person_at": INT, "pushed_at": MAYBE_INT, "last_error": MAYBE_TEXT, "created_at": INT, "updated_at": INT,
    }
    "webhooks" ("id") {
        "id": TEXT, "configuration": TEXT, "active": FLAG, "sealed_secret": Of::Sealed("sealed_secret"),
        "sealed_former_secret": Of::MaybeSealed("sealed_secret"), "former_expires_at": MAYBE_INT, "position": ZERO,
        "replay_position": NO_INT, "replay_until": NO_INT, "failing_since": MAYBE_INT, "failures": INT,
        "held_until": MAYBE_INT, "deactivated_because": MAYBE_TEXT, "owner": MAYBE_TEXT, "owner_to_be_told": FLAG,
        "tested_at": INT, "created_at": INT, "updated_at": INT, "version": INT, "begins_at": INT,
        "last_failed_at": MAYBE_INT, "replay_from": NO_INT, "replay_before": NO_INT,
    }
    "audit_streams" ("id") {
        "id": TEXT, "configuration": TEXT, "active": FLAG, "sealed_secret": Of::Sealed("sealed_secret"),
        "position": ZERO, "batch_until": NO_INT, "due_at": INT, "claimed_until": ZERO, "sent_at": MAYBE_INT,
        "failing_since": MAYBE_INT, "last_failed_at": MAYBE_INT, "failures": INT, "last_error": MAYBE_TEXT,
        "deactivated_because": MAYBE_TEXT, "owner": MAYBE_TEXT, "owner_to_be_told": FLAG, "tested_at": INT,
        "created_at": INT, "updated_at": INT, "version": INT,
    }
    "hook_modules" ("id") {
        "id": TEXT, "name": TEXT, "module": BYTES, "sha256": TEXT, "size": INT, "created_at": INT,
    }
    "hook_sets" () {
        "generation": INT, "updated_at": INT,
    }
    "hooks" ("id") {
        "id": TEXT, "point": TEXT, "configuration": TEXT, "sealed_secret": Of::Sealed("sealed_secret"),
        "sealed_former_secret": Of::MaybeSealed("sealed_secret"), "former_expires_at": MAYBE_INT, "tested_at": INT,
        "created_at": INT, "updated_at": INT, "version": INT,
    }
    "signal_streams" ("id") {
        "id": TEXT, "app_id": TEXT, "method": TEXT, "endpoint_url": MAYBE_TEXT, "authorization_header": NO_TEXT,
        "events_requested": TEXT, "description": MAYBE_TEXT, "status": TEXT, "reason": MAYBE_TEXT,
        "verified_at": INT, "created_at": INT, "updated_at": INT,
        "sealed_authorization": Of::MaybeSealed("sealed_authorization"),
    }
    "custom_domains" ("id") {
        "id": TEXT, "domain": TEXT, "challenge": TEXT, "status": TEXT, "owner": MAYBE_TEXT, "created_at": INT,
        "verified_at": MAYBE_INT, "activated_at": MAYBE_INT, "checked_at": INT, "failing_since": MAYBE_INT,
        "failures": INT, "version": INT,
    }
}

carried! {
    /// What an archive has for those who read it, and no import writes: the audit log goes on where it was written.
    RECORDS:
    "audit_log" ("id") {
        "id": TEXT, "at": INT, "actor_kind": TEXT, "actor_id": TEXT, "action": TEXT, "target": TEXT, "outcome": TEXT,
        "request_id": TEXT, "client_ip": TEXT, "detail": TEXT, "position": MAYBE_INT, "hash": MAYBE_BYTES,
    }
    "audit_chains" () {
        "last": INT, "last_hash": BYTES, "removed": INT, "removed_hash": BYTES, "signed": INT, "signed_at": INT,
    }
    "audit_checkpoints" ("position") {
        "position": INT, "created_at": INT, "jws": TEXT,
    }
}

/// Tables of tenants that no archive has, each for its reason.
pub const LEFT: &[(&str, &str)] = &[
    ("ciba_requests", MINUTES),
    ("codes", MINUTES),
    ("delegations", SESSIONS),
    ("deliveries", QUEUES),
    ("device_codes", MINUTES),
    ("events", "kept for a while, for receivers who ask again; the counter of positions goes on"),
    ("idempotency_keys", "replies to requests that were sent to the other deployment"),
    ("impersonations", "end with the sessions; the audit log tells of them"),
    ("links", "mailed with an address of the other deployment; people ask for another"),
    ("logout_deliveries", QUEUES),
    ("mails", QUEUES),
    ("monthly_uses", "counted for the plan that the tenant had at the other deployment"),
    ("organization_sizes", "counts the members of organizations; the engine writes it"),
    ("outbox", QUEUES),
    ("par_requests", MINUTES),
    ("policy_decisions", "kept for days: what was decided at the other deployment"),
    ("recovery_answers", RECOVERIES),
    ("recovery_browsers", RECOVERIES),
    ("recovery_cases", RECOVERIES),
    ("refresh_families", SESSIONS),
    ("refresh_tokens", SESSIONS),
    ("revocations", "of tokens that keys of the other deployment have signed, which count nowhere else"),
    ("role_members", "repeats the roles of memberships; the engine writes it"),
    ("session_clients", SESSIONS),
    ("sessions", SESSIONS),
    ("signal_events", QUEUES),
    ("spent_assertions", "notes of what counts once, for minutes"),
    ("sso_sessions", SESSIONS),
    ("tenant_keys", "never leave their deployment; what they sealed travels under the passphrase"),
    ("tenant_user_names", "repeats names of memberships and accounts; the engine writes it"),
    ("webhook_attempts", QUEUES),
];

const MINUTES: &str = "a step under way, which ends within minutes";
const SESSIONS: &str = "people sign in again: the cookies and tokens are of the other deployment";
const QUEUES: &str = "waits to be sent, or was sent; let it be sent before the export";
const RECOVERIES: &str = "ends within days, and hangs on a browser and mails of the other deployment";
