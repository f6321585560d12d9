//! The records of one tenant that operations name: one of each resource.

use std::collections::BTreeMap;

use serde_json::json;
use svc_core::{AppId, Cx, Seconds, TenantUserId};
use svc_db::{SystemSql, args};
use svc_domain::apis;
use svc_domain::apps::registrations::{self, NewToken};
use svc_domain::claims::profile::Profile;
use svc_domain::delivery::audit_streams;
use svc_domain::delivery::signals::{self, Delivery, Wanted};
use svc_domain::delivery::webhooks::{self, NewWebhook};
use svc_domain::domain_name::DomainName;
use svc_domain::federation::{connectors, sso, trusted_issuers, trusted_subjects};
use svc_domain::grants::{consents, delegations};
use svc_domain::hooks;
use svc_domain::organizations;
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::imports;
use svc_domain::people::phones::{self, PhoneNumber};
use svc_domain::people::tenant_users::{self, NewMember};
use svc_domain::people::{credentials, sessions};
use svc_domain::policies;
use svc_domain::tenancy::custom_domains;
use svc_domain::tokens::api_keys::{self, NewKey, Owner};

use super::approvals;
use super::directories::{directory_group, scim_token};
use super::guardians::guardians;
use super::impersonations::impersonations;
use super::intake;
use super::organizations as organizations_own;
use super::provisioning;
use crate::harness::{Client, Harness, Person, Site};

/// Ids by the resource whose `{id}` they are, or by the parameter.
#[derive(Clone, Debug)]
pub struct Records(BTreeMap<&'static str, String>);

impl Records {
    pub fn of(&self, name: &str) -> &str {
        self.0.get(name).unwrap_or_else(|| panic!("`{name}` has no record: make one in `records`"))
    }

    /// The same with one of another tenant.
    pub fn with(&self, name: &'static str, theirs: &Self) -> Self {
        let mut mixed = self.clone();
        mixed.0.insert(name, theirs.of(name).to_owned());
        mixed
    }

    /// Ids of the same kinds that no record has.
    pub fn of_nothing(&self, h: &Harness) -> Self {
        let unknown = |id: &String| {
            let digits = h.operator().id::<svc_core::AppKind>().to_string();
            let is_number = id.parse::<i64>().is_ok();
            let nothing = || if is_number { id.clone() } else { String::new() };
            id.split_once('_').map_or_else(nothing, |(kind, _)| digits.replacen("app", kind, 1))
        };
        Self(self.0.iter().map(|(name, id)| (*name, unknown(id))).collect())
    }
}

pub async fn records(site: &Site<'_>) -> Records {
    let app = site.app("subject").await;
    let user = site.user("subject").await;
    site.api("https://subject.example", &["notes:read"]).await;
    site.sign_in(&app, &user).await;
    let mut tx = site.harness.app().db.read(site.tenant.id).await.unwrap();
    let api =
        apis::find_by_identifier(&mut tx, &site.tenant, "https://subject.example").await.unwrap().unwrap();
    let lifetimes = sessions::Lifetimes::of(&site.tenant.settings.limits, &site.harness.app().config);
    let page = sessions::Page { lifetimes, cursor: None, limit: 1 };
    let person = tenant_users::find(&mut tx, user.id).await.unwrap().unwrap();
    let session =
        sessions::list(&mut tx, &person, site.harness.operator().now, &page).await.unwrap().remove(0);
    // Held, it would keep a connection from the requests below.
    drop(tx);
    // Another session, which the person can end besides their own.
    site.sign_in(&app, &user).await;
    phone(site, user.id).await;
    // Only a disabled API may be deleted.
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    apis::update(&mut tx, &site.harness.operator(), &api, &api.configuration, false).await.unwrap();
    tx.commit().await.unwrap();
    let (stream, waiting) = stream(site, app.id.parse().unwrap()).await;
    let [outer, inner] = groups(site, user.id).await;
    let (webhook, delivery) = webhook(site).await;
    let organization = organization(site, user.id).await;
    let scim_token = scim_token(site, &organization).await;
    let directory_group = directory_group(site, &organization).await;
    let key = organizations_own::api_key(site, &organization).await;
    let issuer = organizations_own::trusted_issuer(site, &organization, user.id).await;
    let [guardian, guarded, inviting] = guardians(site, user.id).await;
    let [support, own_support, helped] = impersonations(site, user.id).await;
    let [later, terms] = intake::terms(site, user.id).await;
    let (device, user_code) = approvals::device_request(&app, &user).await;
    Records(BTreeMap::from([
        ("{device_code_id}", device),
        ("{user_code}", user_code),
        ("impersonations", support),
        ("{impersonation_id}", own_support),
        ("{helped}", helped),
        ("{guardian_id}", guardian),
        ("{guarded_id}", guarded),
        ("{inviting_id}", inviting),
        ("scim-tokens", scim_token),
        ("scim-schemas", provisioning::scim_schema(site).await),
        ("terms", later),
        ("{terms_id}", terms),
        ("sign-up-fields", intake::field(site, user.id).await),
        ("scim-targets", provisioning::scim_target(site).await),
        ("{directory_group_id}", directory_group),
        ("{key_id}", key),
        ("{issuer_id}", issuer),
        ("applications", app.id.clone()),
        ("apis", api.id.to_string()),
        ("api-keys", api_key(site).await),
        ("registration-tokens", registration_token(site).await),
        ("tenant-users", user.id.to_string()),
        ("roles", role(site).await),
        ("groups", outer),
        ("organizations", organization),
        ("{domain_id}", domain(site).await),
        ("custom-domains", custom_domain(site).await),
        ("{invitation_id}", invitation(site, &format!("guest@{}.example", site.tenant.slug)).await),
        ("{waiting_id}", invitation(site, &user.email).await),
        ("{credential_id}", credential(site, user.id).await),
        ("{organization_id}", left(site, user.id).await),
        ("{connection_id}", sso_connection(site).await),
        ("connectors", connector(site).await),
        ("imports", import(site).await),
        ("{number}", "1".to_owned()),
        ("policies", policy(site).await),
        ("{version}", "1".to_owned()),
        ("{group_id}", inner),
        ("{delegation_id}", delegation(site, app.id.parse().unwrap(), user.id).await),
        ("delegations", delegation(site, app.id.parse().unwrap(), user.id).await),
        ("trusted-issuers", trusted_issuer(site, user.id).await),
        ("identity", approvals::ciba_request(&app, &user).await),
        ("ssf", stream),
        ("webhooks", webhook),
        ("audit", audit_stream(site).await),
        ("hook-modules", hook_module(site).await),
        ("hooks", hook(site).await),
        ("{delivery_id}", delivery),
        ("{application_id}", app.id.clone()),
        ("{tenant_user_id}", user.id.to_string()),
        ("{session_id}", session.id.to_string()),
        ("{invited}", invited(site, &user, &app).await),
        ("{jti}", waiting),
        ("{sub}", user.subject),
    ]))
}

/// A phone number that the person has proven; one account of the deployment has it.
async fn phone(site: &Site<'_>, person: TenantUserId) {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let person = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
    let digits = site.tenant.slug.bytes().fold(7_u64, |sum, byte| (sum * 31 + u64::from(byte)) % 100_000_000);
    let number = PhoneNumber::parse(&format!("+4420{digits:08}")).unwrap();
    phones::set(&mut tx, &site.harness.operator(), &person, &number).await.unwrap();
    tx.commit().await.unwrap();
}

/// An import that has taken no chunk.
async fn import(site: &Site<'_>) -> String {
    let configuration = imports::Configuration {
        source: "elsewhere".to_owned(),
        on_conflict: imports::OnConflict::Skip,
        dry_run: false,
    };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let import = imports::begin(&mut tx, &site.harness.operator(), configuration).await.unwrap();
    tx.commit().await.unwrap();
    import.id.to_string()
}

/// A policy with one version.
async fn policy(site: &Site<'_>) -> String {
    let text = "permit(principal, action, resource);".to_owned();
    let configuration = policies::Configuration { name: "Subject".to_owned(), text, ..Default::default() };
    let new = policies::Change { configuration, status: policies::Status::Draft, organization_id: None };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let policy = policies::create(&mut tx, &site.harness.operator(), &new, 10).await.unwrap();
    tx.commit().await.unwrap();
    policy.id.to_string()
}

/// A role that no member has.
async fn role(site: &Site<'_>) -> String {
    // What the documents of people name.
    site.role("editor", &[]).await;
    site.role("subject", &[]).await.id.to_string()
}

/// An organization of which a person is a member, and another one the owner.
async fn organization(site: &Site<'_>, member: TenantUserId) -> String {
    let owner = site.user("owner").await;
    let made = site.organization("subject", owner.id).await;
    site.member(&made, member).await;
    made.id.to_string()
}

/// Another organization that has this member.
async fn left(site: &Site<'_>, member: TenantUserId) -> String {
    let owner = site.user("founder").await;
    let made = site.organization("left", owner.id).await;
    site.member(&made, member).await;
    made.id.to_string()
}

/// A second factor of a person.
async fn credential(site: &Site<'_>, person: TenantUserId) -> String {
    site.second_factor(person).await;
    let mut tx = site.harness.app().db.read(site.tenant.id).await.unwrap();
    let owner = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
    let all = credentials::of_account(&mut tx, owner.account_id).await.unwrap();
    all.into_iter().find(|one| one.kind == Some(credentials::Kind::Totp)).unwrap().id.to_string()
}

/// A domain that the organization has proven.
async fn domain(site: &Site<'_>) -> String {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let there = organizations::find_by_slug(&mut tx, "subject").await.unwrap().unwrap();
    let wanted = DomainName::parse("subject.example").unwrap();
    let new = (&wanted, "challenge".to_owned());
    let cx = site.harness.operator();
    let made = organizations::domains::create(&mut tx, &cx, (there.id, 10), new).await.unwrap();
    organizations::domains::prove(&mut tx, &cx, &made).await.unwrap();
    tx.commit().await.unwrap();
    made.id.to_string()
}

/// A domain that the tenant has proven.
async fn custom_domain(site: &Site<'_>) -> String {
    let name = DomainName::parse("subject.example").unwrap();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let (cx, new) = (site.harness.operator(), (&name, "challenge".to_owned()));
    let made = custom_domains::create(&mut tx, &cx, new, 10).await.unwrap();
    custom_domains::prove(&mut tx, &cx, &made).await.unwrap();
    tx.commit().await.unwrap();
    made.id.to_string()
}

/// A provider of the tenant, which nothing asks for.
async fn connector(site: &Site<'_>) -> String {
    let (cx, app) = (site.harness.operator(), site.harness.app());
    let sealer = app.services.sealers.of(site.tenant.id, svc_keys::Purpose::Credentials, &cx).await.unwrap();
    let mut tx = app.db.begin(site.tenant.id).await.unwrap();
    let wanted = json!({ "name": "subject", "preset": "github", "client_id": "svc" });
    let wanted = serde_json::from_value(wanted).unwrap();
    let secret = svc_core::Secret::new("the secret of the provider".to_owned());
    let new = connectors::New { configuration: &wanted, client_secret: Some(&secret), most: 10 };
    let made = connectors::create(&mut tx, &cx, &sealer, new).await.unwrap();
    tx.commit().await.unwrap();
    made.id.to_string()
}

/// A provider of the organization, which nothing asks for.
async fn sso_connection(site: &Site<'_>) -> String {
    let cx = site.harness.operator();
    let sealer = site
        .harness
        .app()
        .services
        .sealers
        .of(site.tenant.id, svc_keys::Purpose::Credentials, &cx)
        .await
        .unwrap();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let there = organizations::find_by_slug(&mut tx, "subject").await.unwrap().unwrap();
    let login = json!({
        "display_name": "Staff", "issuer": "https://login.example", "client_id": "svc", "client_auth": "private_key_jwt"
    });
    let login = serde_json::from_value(login).unwrap();
    let new = sso::New { configuration: &login, client_secret: None, most: 10 };
    let made = sso::create(&mut tx, &cx, &sealer, (there.id, new)).await.unwrap();
    tx.commit().await.unwrap();
    made.id.to_string()
}

/// An invitation to the organization that waits.
async fn invitation(site: &Site<'_>, email: &str) -> String {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let there = organizations::find_by_slug(&mut tx, "subject").await.unwrap().unwrap();
    let email = Email::parse(email).unwrap();
    let lifetime = Seconds(3600);
    let digest = svc_keys::digest(email.as_str());
    let new = organizations::invitations::NewInvitation { email: &email, roles: &[], digest, lifetime };
    let cx = site.harness.operator();
    let made = organizations::invitations::create(&mut tx, &cx, (there.id, 10), new).await.unwrap();
    tx.commit().await.unwrap();
    made.id.to_string()
}

/// A group with a person and a group in it.
async fn groups(site: &Site<'_>, person: TenantUserId) -> [String; 2] {
    let (outer, inner) = (site.group("Outer", &[]).await, site.group("Inner", &[]).await);
    site.add(&outer, person).await;
    site.nest(&outer, &inner).await;
    [outer.id.to_string(), inner.id.to_string()]
}

/// A person who was invited; the other one is managed by the tenant, and has allowed the application something.
async fn invited(site: &Site<'_>, user: &Person, app: &Client<'_>) -> String {
    let cx = site.harness.operator();
    let mut tx = site.harness.app().db.begin_system().await.unwrap();
    let manage = SystemSql::new("UPDATE accounts SET managed_by = $1 WHERE email = $2");
    tx.execute(manage, args![site.tenant.id, &user.email]).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let allowed = ("https://subject.example", &"notes:read".parse().unwrap());
    consents::grant(&mut tx, &cx, user.id, app.id.parse().unwrap(), allowed).await.unwrap();
    let email = Some(Email::parse(&format!("invited@{}.example", site.tenant.slug)).unwrap());
    let new = NewAccount { email, email_verified: false, password: None, profile: Profile::default() };
    let account = accounts::create_managed(&mut tx, &cx, &new).await.unwrap();
    let invited = tenant_users::invite(&mut tx, &cx, NewMember::of(account)).await.unwrap();
    tx.commit().await.unwrap();
    invited.to_string()
}

/// A stream to poll, and an event that waits in it since a verification of long ago.
async fn stream(site: &Site<'_>, app: AppId) -> (String, String) {
    let operator = site.harness.operator();
    let cx = Cx { now: operator.now - Seconds(3600), ..operator };
    let wanted = Wanted { delivery: Delivery::Poll, events_requested: Vec::new(), description: None };
    let sealers = &site.harness.app().services.sealers;
    let sealer = sealers.of(site.tenant.id, svc_keys::Purpose::Credentials, &cx).await.unwrap();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let stream = signals::create(&mut tx, &cx, &sealer, app, wanted).await.unwrap();
    signals::verify(&mut tx, &cx, (app, stream.id), None).await.unwrap();
    let waiting = signals::waiting(&mut tx, &stream, 1).await.unwrap().remove(0);
    tx.commit().await.unwrap();
    (stream.id.to_string(), waiting.id.to_string())
}

/// A subscription, and a test that waits for it since long ago.
async fn webhook(site: &Site<'_>) -> (String, String) {
    let operator = site.harness.operator();
    let cx = Cx { now: operator.now - Seconds(3600), ..operator };
    let configuration = webhooks::Configuration {
        url: "https://receiver.example/events".to_owned(),
        event_types: vec!["tenant_user.*".to_owned()],
        description: Some("Subject".to_owned()),
    };
    let sealers = &site.harness.app().services.sealers;
    let sealer = sealers.of(site.tenant.id, svc_keys::Purpose::Credentials, &cx).await.unwrap();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let new = NewWebhook { configuration: &configuration, active: true, secret: None };
    let (webhook, _) = webhooks::create(&mut tx, &cx, &sealer, new).await.unwrap();
    let delivery = webhooks::test(&mut tx, &cx, &webhook).await.unwrap();
    tx.commit().await.unwrap();
    (webhook.id.to_string(), delivery.to_string())
}

async fn audit_stream(site: &Site<'_>) -> String {
    let cx = site.harness.operator();
    let webhook = audit_streams::Webhook { url: "https://receiver.example/audit".to_owned() };
    let destination = audit_streams::Destination::Webhook(webhook);
    let configuration = audit_streams::Configuration { name: "Subject".to_owned(), destination };
    let sealers = &site.harness.app().services.sealers;
    let sealer = sealers.of(site.tenant.id, svc_keys::Purpose::Credentials, &cx).await.unwrap();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let new = audit_streams::NewStream {
        configuration: &configuration,
        active: true,
        begin: audit_streams::Begin::Now,
        secret: None,
        most: 8,
    };
    let (stream, _) = audit_streams::create(&mut tx, &cx, &sealer, new).await.unwrap();
    tx.commit().await.unwrap();
    stream.id.to_string()
}

/// A hook before tokens, which nothing asks for.
async fn hook(site: &Site<'_>) -> String {
    let cx = site.harness.operator();
    let configuration = json!({
        "point": "pre_token", "url": "https://receiver.example/hook", "on_failure": "allow", "is_active": false
    });
    let configuration = serde_json::from_value(configuration).unwrap();
    let sealers = &site.harness.app().services.sealers;
    let sealer = sealers.of(site.tenant.id, svc_keys::Purpose::Credentials, &cx).await.unwrap();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let new = hooks::New { configuration: &configuration, secret: None, most: 10 };
    let (hook, _) = hooks::create(&mut tx, &cx, &sealer, new).await.unwrap();
    tx.commit().await.unwrap();
    hook.id.to_string()
}

/// A module that no hook names.
async fn hook_module(site: &Site<'_>) -> String {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let new = hooks::NewModule { name: "Unused", bytes: crate::hooks::constant("{}"), most: 10 };
    let module = hooks::create_module(&mut tx, &site.harness.operator(), new).await.unwrap();
    tx.commit().await.unwrap();
    module.id.to_string()
}

async fn api_key(site: &Site<'_>) -> String {
    let scope = "tenant-users:read".parse().unwrap();
    let (digest, lifetime) = (svc_keys::digest("subject's key"), Seconds(60));
    let new = NewKey { digest, name: "subject", scope: &scope, owner: Owner::Tenant, lifetime, most: 50 };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let key = api_keys::create(&mut tx, &site.harness.operator(), &new).await.unwrap();
    tx.commit().await.unwrap();
    key.id.to_string()
}

async fn registration_token(site: &Site<'_>) -> String {
    let new =
        NewToken { digest: svc_keys::digest("subject"), description: "", quota: 1, lifetime: Seconds(60) };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let token = registrations::create_token(&mut tx, &site.harness.operator(), &new).await.unwrap();
    tx.commit().await.unwrap();
    token.id.to_string()
}

async fn trusted_issuer(site: &Site<'_>, person: TenantUserId) -> String {
    let cx = site.harness.operator();
    let key = json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });
    let configuration = trusted_issuers::Configuration {
        name: "Subject".to_owned(),
        jwks: Some(json!({ "keys": [key] })),
        ..trusted_issuers::Configuration::default()
    };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let new = trusted_issuers::New {
        organization: None,
        issuer: "https://subject.example",
        configuration: &configuration,
    };
    let made = trusted_issuers::create(&mut tx, &cx, new).await.unwrap();
    trusted_subjects::link(&mut tx, &cx, &made, (person, "subject there")).await.unwrap();
    tx.commit().await.unwrap();
    made.id.to_string()
}

/// A delegation of a person, made by an application.
pub async fn delegation(site: &Site<'_>, actor: AppId, person: TenantUserId) -> String {
    let cx = site.harness.operator();
    let made = delegations::Delegation {
        id: cx.id(),
        parent: None,
        family: cx.id(),
        person,
        actor,
        source: delegations::Source { client_id: actor.to_string(), family: None, jti: "source".to_owned() },
        session: None,
        organization: None,
        vouched_by: None,
        audience: "https://subject.example".to_owned(),
        scope: "notes:read".parse().unwrap(),
        authorization_details: Vec::new(),
        act: None,
        purpose: String::new(),
        state: delegations::State::Live,
        created_at: cx.now,
        expires_at: cx.now + Seconds(60),
        revoked_at: None,
    };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    delegations::create(&mut tx, &cx, &made).unwrap();
    tx.commit().await.unwrap();
    made.id.to_string()
}
