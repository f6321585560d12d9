//! What a caller cannot give: every writable member of every resource is tried or is here with the reason why it gives
//! nothing.

use std::collections::BTreeSet;

use svc_core::AppId;

use super::providers::{CONNECTOR, SSO_CONNECTION};
use super::*;

/// A caller that may write everything, but gives nothing that it does not hold.
const WRITER: &str = "applications:write apis:write registration-tokens:write tenant-users:write delegations:write \
                      trusted-issuers:write hooks:write orders:read";

/// Members that give nothing beyond what the caller holds.
const HARMLESS: &[(&str, &[&str])] = &[
    (
        "Application",
        &[
            "enabled",
            "handle",
            "name",
            "type",
            "audience",
            "require_pkce",
            "id_token_signed_response_alg",
            // Where consented claims stand: at UserInfo they are in any case.
            "id_token_claims",
            "userinfo_signed_response_alg",
            "authorization_signed_response_alg",
            "introspection_signed_response_alg",
            "profile",
            // Takes the roles of an organization in place of the tenant's.
            "organization_usage",
            "token_endpoint_auth_signing_alg",
            "request_object_signing_alg",
            "backchannel_authentication_request_signing_alg",
            "require_signed_request_object",
            "require_pushed_authorization_requests",
            "default_max_age",
            "require_auth_time",
            "default_acr_values",
            "second_factor_required",
            "sign_in_methods",
            "dpop_bound_access_tokens",
            "tls_client_certificate_bound_access_tokens",
            "subject_type",
            "sector_identifier_uri",
            "backchannel_logout_uri",
            "backchannel_logout_session_required",
            "initiate_login_uri",
            "client_uri",
            "logo_uri",
            "policy_uri",
            "tos_uri",
            "post_logout_redirect_uris",
            // Ways in to the application: they give what it has, which the caller holds, or may not touch.
            "redirect_uris",
            "token_endpoint_auth_method",
            "additional_auth_methods",
            "allowed_origins",
            "jwks",
            "jwks_uri",
            "tls_client_auth_subject_dn",
            "tls_client_auth_san_dns",
            "tls_client_auth_san_uri",
            "tls_client_auth_san_ip",
            "tls_client_auth_san_email",
            // Public metadata are there to be told.
            "custom_claims",
        ],
    ),
    (
        "Api",
        &[
            "enabled",
            "identifier",
            "name",
            "access_token_lifetime_secs",
            "access_token_typ",
            "access_token_claims",
            // Public metadata are there to be told.
            "custom_claims",
            "authorization_details_types",
        ],
    ),
    // The whole document is refused.
    ("TrustedIssuer", &["enabled", "issuer", "name", "jwks", "jwks_uri", "audiences"]),
    SSO_CONNECTION,
    CONNECTOR,
    ("TrustedSubject", &["subject"]),
    // Who a person is gives nothing; roles do, and so do credentials.
    ("TenantUser", &["email", "invite", "name", "username", "public_metadata", "private_metadata"]),
    ("Branding", &["accent", "font", "logo_uri", "policy_uri", "radius", "sender_name", "tos_uri"]),
    // What people decide by about their security cannot be reworded.
    ("PageTexts", &["texts"]),
    ("TenantSettingsChange", &["name"]),
    (
        "ImportedPerson",
        &[
            "created_at",
            "email",
            "email_verified",
            "external_id",
            // Those of a new person, whose account the tenant manages, and who has no roles but those that the caller holds.
            "backup_code_hashes",
            "factors",
            "identities",
            "passkeys",
            "password_hash",
            "totp_secret",
            // What an export tells besides is passed over.
            "kept",
            "private_metadata",
            "profile",
            "public_metadata",
            "status",
            "username",
        ],
    ),
    ("ImportConfiguration", &["dry_run", "on_conflict", "source"]),
    ("Role", &["name", "description"]),
    ("Group", &["name", "description"]),
    // An owner is a member without roles.
    (
        "Organization",
        &[
            "slug",
            "name",
            "owner_id",
            "status",
            "logo_uri",
            "accent",
            "policy_uri",
            "tos_uri",
            "radius",
            "font",
            "sender_name",
            "metadata",
            "sign_in",
        ],
    ),
    ("OrganizationOwner", &["tenant_user_id"]),
    // A claim; what proves it is in the domain itself.
    ("OrganizationDomain", &["domain"]),
    // To ask for a domain leads no one there; to activate it takes the scope that grants.
    ("CustomDomain", &["domain"]),
    // To whom it goes and for how long; what it gives are its roles.
    ("OrganizationInvitation", &["email", "expires_in"]),
    // What registers itself gets no more than people can give it at consent.
    ("RegistrationToken", &["description", "quota", "expires_in"]),
    // What it may do is its scope's; for whom it acts is the caller or the tenant, whose scopes the caller has.
    ("ScimToken", &["name", "expires_in"]),
    // What directories say by it gives no rights.
    ("ScimSchema", &["attributes", "description", "name", "urn"]),
    // What people are asked for gives no rights.
    (
        "SignUpField",
        &[
            "after_sign_ins",
            "again_after_days",
            "application_ids",
            "asked",
            "choices",
            "editable",
            "enabled",
            "kept_in",
            "language",
            "max_length",
            "min_length",
            "name",
            "order",
            "organization_ids",
            "required",
            "texts",
            "type",
        ],
    ),
    (
        "Terms",
        &[
            "accept_again_from",
            "documents",
            "effective_at",
            "key",
            "label",
            "language",
            "organization_ids",
            "required",
        ],
    ),
    // Where people are pushed: the caller has to be allowed to read them.
    (
        "ScimTarget",
        &[
            "active",
            "attributes",
            "base_url",
            "client_credentials",
            "name",
            "on_removal",
            "people",
            "push_groups",
            "secret",
            "unverified_emails",
            "update_with",
            "user_name",
        ],
    ),
    ("ApiKey", &["name", "owner", "expires_in"]),
    ("OrganizationApiKey", &["name", "expires_in"]),
    // Operators alone send it.
    ("KeyRotation", &["algorithm", "signs_in_secs", "tenant_id"]),
    // An administrator alone gives it, who may do everything.
    ("OperatorGrant", &["role"]),
    // Events have no secret, and where they go is what the scope is about.
    // Where the log goes: the caller has to be allowed to read it.
    ("AuditStream", &["active", "begin", "destination", "name", "secret"]),
    // Questions of applications: what is answered opens nothing here.
    ("AccessQuestion", &["action", "context", "resource", "subject"]),
    ("AccessQuestions", &["action", "context", "evaluations", "options", "resource", "subject"]),
    ("ActionSearch", &["context", "page", "resource", "subject"]),
    ("ResourceSearch", &["action", "context", "page", "resource", "subject"]),
    ("SubjectSearch", &["action", "context", "page", "resource", "subject"]),
    // Policies decide what applications ask, and nothing about the service itself.
    // It takes rights rather than giving them: with the password alone nothing begins.
    ("Password", &["must_change"]),
    ("Policy", &["description", "name", "organization_id", "schema", "status", "text"]),
    ("PolicySimulation", &["entities", "policies", "question", "with_active"]),
    ("PolicyText", &["schema", "text"]),
    ("PolicyTrial", &["schema", "text"]),
    // For operators, who have the deployment.
    ("FeatureSwitch", &["enabled", "reason"]),
    ("PlanConfiguration", &["disabled_capabilities", "name", "quotas"]),
    ("TenantAdministrator", &["email"]),
    ("TenantChange", &["custom_domain", "name", "plan_id", "settings"]),
    ("TenantDocument", &["clone_settings_of", "custom_domain", "name", "plan_id", "settings", "slug"]),
    // A caller cannot act for a person who has a role that the caller lacks: tests of impersonation have the cases.
    ("Support", &["application_id", "minutes", "reason", "tenant_user_id"]),
    // A module does nothing until a hook names it.
    ("HookModule", &["module", "name"]),
    // A hook of a point that adds claims always needs the scope that grants, and one with an address that which reads people; a
    // secret lets nothing in.
    (
        "Hook",
        &[
            "application_ids",
            "is_active",
            "kind",
            "module_id",
            "on_failure",
            "order",
            "point",
            "secret",
            "timeout_millis",
            "url",
        ],
    ),
    ("Webhook", &["active", "description", "event_types", "secret", "url"]),
    ("WebhookReplay", &["from", "to"]),
];

/// Members that do, each with a value that the caller does not hold.
fn privileged() -> Vec<(&'static str, &'static str, Value)> {
    let target = json!([{ "audience": "https://elsewhere.example", "scope": "mail" }]);
    vec![
        ("Application", "scope", json!("openid orders:write")),
        ("Application", "scope", json!("apis:read")),
        ("Application", "grant_types", json!(["client_credentials"])),
        ("Application", "grant_types", json!(["urn:ietf:params:oauth:grant-type:token-exchange"])),
        ("Application", "grant_types", json!(["urn:ietf:params:oauth:grant-type:jwt-bearer"])),
        ("Application", "grant_types", json!(["urn:openid:params:grant-type:ciba"])),
        ("Application", "first_party", json!(true)),
        ("Application", "may_impersonate", json!(true)),
        ("Application", "authorization_details_types", json!(["payment"])),
        ("Application", "identity_assertions", target),
    ]
}

async fn as_writer(world: &World, method: &str, path: &str, body: Option<Value>) -> Answer {
    let token = world.token_with("localhost", WRITER, "writer", None).await;
    world.send_as(&token, Call { body, ..call(method, path) }).await
}

fn creating(member: &str, value: &Value) -> Value {
    let mut body = json!({ "name": "Tried" });
    body[member] = value.clone();
    body
}

#[tokio::test]
async fn no_member_of_an_application_gives_what_the_caller_does_not_hold() {
    let world = World::new().await;
    for (_, member, value) in privileged() {
        let body = creating(member, &value);
        let refused = as_writer(&world, "POST", "/api/v1/applications", Some(body.clone())).await;
        refused.refused(403, member);
        refused.refused(403, "privileges:grant");
    }
    let own = as_writer(
        &world,
        "POST",
        "/api/v1/applications",
        Some(json!({ "name": "Mine", "scope": "openid orders:read" })),
    )
    .await;
    let path = format!("/api/v1/applications/{}", own.json(201)["id"].as_str().unwrap());
    for (_, member, value) in privileged() {
        for method in ["PUT", "PATCH"] {
            as_writer(&world, method, &path, Some(creating(member, &value))).await.refused(403, member);
        }
    }
    assert_eq!(world.send(call("GET", &path)).await.etag, "\"1\"");
}

#[tokio::test]
async fn what_is_more_powerful_than_the_caller_cannot_be_taken_over() {
    let world = World::new().await;
    for (_, member, value) in privileged() {
        let created = world
            .send(Call { body: Some(creating(member, &value)), ..call("POST", "/api/v1/applications") })
            .await
            .json(201);
        let path = format!("/api/v1/applications/{}", created["id"].as_str().unwrap());
        let addresses = json!({ "redirect_uris": ["https://attacker.example/cb"] });
        as_writer(&world, "PATCH", &path, Some(addresses)).await.refused(403, member);
        let whole = json!({ "name": "Tried", "redirect_uris": ["https://attacker.example/cb"] });
        as_writer(&world, "PUT", &path, Some(whole)).await.refused(403, member);
        as_writer(&world, "POST", &format!("{path}/secret"), None).await.refused(403, member);
        assert_eq!(as_writer(&world, "DELETE", &path, None).await.status.as_u16(), 204);
    }
}

#[tokio::test]
async fn trust_links_and_opened_scopes_need_the_scope_that_grants() {
    let world = World::new().await;
    let key = json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });
    let issuer =
        json!({ "issuer": "https://elsewhere.example", "name": "Elsewhere", "jwks": { "keys": [key] } });
    as_writer(&world, "POST", "/api/v1/trusted-issuers", Some(issuer.clone()))
        .await
        .refused(403, "trust in an issuer");
    let trusted =
        world.send(Call { body: Some(issuer), ..call("POST", "/api/v1/trusted-issuers") }).await.json(201);
    let path = format!("/api/v1/trusted-issuers/{}", trusted["id"].as_str().unwrap());
    as_writer(&world, "PATCH", &path, Some(json!({ "enabled": true })))
        .await
        .refused(403, "trust in an issuer");
    let person = world.person("ada").await;
    let link = format!("{path}/subjects/{}", person.id);
    as_writer(&world, "PUT", &link, Some(json!({ "subject": "x" })))
        .await
        .refused(403, "speaks for the person");

    let hook = json!({ "point": "pre_token", "url": "https://elsewhere.example", "on_failure": "deny" });
    as_writer(&world, "POST", "/api/v1/hooks", Some(hook.clone()))
        .await
        .refused(403, "a hook, which adds claims");
    let made = world.send(Call { body: Some(hook.clone()), ..call("POST", "/api/v1/hooks") }).await.json(201);
    let path = format!("/api/v1/hooks/{}", made["id"].as_str().unwrap());
    as_writer(&world, "PUT", &path, Some(hook)).await.refused(403, "a hook, which adds claims");

    let api = |roles: &[&str], server: &[&str]| {
        json!({
            "name": "Orders",
            "scopes": [{ "name": "orders:write", "roles": roles }, { "name": "orders:read", "roles": roles }],
            "resource_servers": server,
        })
    };
    let mut new = api(&["clerk"], &[]);
    new["identifier"] = json!("https://orders.example");
    let made = as_writer(&world, "POST", "/api/v1/apis", Some(new)).await.json(201);
    let path = format!("/api/v1/apis/{}", made["id"].as_str().unwrap());
    for opened in [api(&[], &[]), api(&["clerk", "everyone"], &[])] {
        let refused = as_writer(&world, "PUT", &path, Some(opened)).await;
        refused.refused(403, "scopes: orders:write, scopes: orders:read:");
    }
    let other: AppId = world.cx.id();
    as_writer(&world, "PUT", &path, Some(api(&["clerk"], &[&other.to_string()])))
        .await
        .refused(403, "resource_servers");
    assert_eq!(world.send(call("GET", &path)).await.etag, "\"1\"");
    let closed = json!({ "scopes": [{ "name": "orders:write", "roles": ["boss"] }] });
    as_writer(&world, "PATCH", &path, Some(closed)).await.refused(403, "scopes");
}

#[tokio::test]
async fn a_scope_that_is_bound_to_roles_is_opened_in_no_number_of_steps() {
    let world = World::new().await;
    let scope = |name: &str, roles: &[&str]| json!({ "name": name, "roles": roles });
    let api = |scopes: &[Value]| json!({ "name": "Orders", "scopes": scopes });
    let (bound, open) = (scope("orders:write", &["clerk"]), scope("orders:write", &[]));
    let opened = api(std::slice::from_ref(&open));
    let new = json!({ "identifier": "https://orders.example", "name": "Orders", "scopes": [bound] });
    let made = as_writer(&world, "POST", "/api/v1/apis", Some(new.clone())).await.json(201);
    let path = format!("/api/v1/apis/{}", made["id"].as_str().unwrap());
    let sequences: &[&[(&str, Option<Value>)]] = &[
        &[("PUT", Some(api(&[]))), ("PUT", Some(opened.clone()))],
        &[("PATCH", Some(json!({ "scopes": [] }))), ("PATCH", Some(json!({ "scopes": [open.clone()] })))],
        &[("PUT", Some(api(&[scope("orders:other", &[])]))), ("PUT", Some(opened.clone()))],
        &[("PUT", Some(api(&[scope("orders:write", &["boss"])]))), ("PUT", Some(opened.clone()))],
        &[("PATCH", Some(json!({ "enabled": false }))), ("DELETE", None)],
    ];
    for steps in sequences {
        for (method, body) in *steps {
            let answer = as_writer(&world, method, &path, body.clone()).await;
            if *body != Some(json!({ "enabled": false })) {
                answer.refused(403, "scopes: orders:write:");
            }
        }
        let api = world.send(call("GET", &path)).await.json(200);
        assert_eq!(api["scopes"][0]["roles"], json!(["clerk"]), "{steps:?}: {api}");
    }
    let twice = json!({ "scopes": [scope("orders:write", &["clerk"]), open.clone()] });
    as_writer(&world, "PATCH", &path, Some(twice)).await.refused(400, "scopes: orders:write is there twice");
    let again = json!({ "identifier": "https://orders.example", "name": "Orders", "scopes": [open] });
    assert_eq!(as_writer(&world, "POST", "/api/v1/apis", Some(again)).await.status.as_u16(), 409);
    let other: AppId = world.cx.id();
    let handed = json!({ "identifier": "https://new.example", "name": "New", "resource_servers": [other.to_string()] });
    as_writer(&world, "POST", "/api/v1/apis", Some(handed)).await.refused(403, "resource_servers");
    assert_eq!(world.send(call("DELETE", &path)).await.status.as_u16(), 204, "with the scope that grants");
}

/// What the integration tests try (`runtime/tests/it`), which have applications and people that sign in.
const TRIED_WITH_ALL_PLANES: &[(&str, &str)] = &[
    ("ApiKey", "scope"),
    ("OrganizationApiKey", "scope"),
    ("Application", "disabled_capabilities"),
    ("DirectoryGroupRoles", "roles"),
    ("Group", "roles"),
    ("ImportedPerson", "roles"),
    ("OrganizationInvitation", "roles"),
    ("OrganizationMembership", "roles"),
    ("Role", "permissions"),
    ("ScimToken", "organization_id"),
    ("TenantSettingsChange", "settings"),
    ("TenantUser", "roles"),
    ("Password", "password"),
];

#[test]
fn every_writable_member_is_tried_or_has_a_reason() {
    let scopes = crate::scopes();
    let document =
        crate::routes().openapi(&crate::openapi::about("1", &scopes)).at("https://id.example", |_| true);
    let known: BTreeSet<(String, String)> = HARMLESS
        .iter()
        .flat_map(|(schema, members)| {
            members.iter().map(|member| ((*schema).to_owned(), (*member).to_owned()))
        })
        .chain(privileged().into_iter().map(|(schema, member, _)| (schema.to_owned(), member.to_owned())))
        .chain([("Api", "scopes"), ("Api", "resource_servers")].map(|(a, b)| (a.to_owned(), b.to_owned())))
        .chain(TRIED_WITH_ALL_PLANES.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())))
        .collect();
    let mut writable = BTreeSet::new();
    for operations in document["paths"].as_object().unwrap().values() {
        for operation in operations.as_object().unwrap().values() {
            // Streams are made of what the calling application may already receive.
            // What a directory sends gives no rights: its token was made by one who holds all that the token can do.
            if ["Shared signals", "Provisioning (SCIM)"].iter().any(|tag| operation["tags"][0] == *tag) {
                continue;
            }
            for content in
                operation["requestBody"]["content"].as_object().into_iter().flat_map(|all| all.values())
            {
                let name = content["schema"]["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
                let kind =
                    name.trim_start_matches("New").trim_end_matches("Patch").trim_end_matches("Update");
                let properties = document["components"]["schemas"][name]["properties"].as_object().unwrap();
                writable.extend(properties.keys().map(|member| (kind.to_owned(), member.clone())));
            }
        }
    }
    assert_eq!(writable.difference(&known).collect::<Vec<_>>(), Vec::<&(String, String)>::new());
    assert_eq!(known.difference(&writable).collect::<Vec<_>>(), Vec::<&(String, String)>::new());
}
