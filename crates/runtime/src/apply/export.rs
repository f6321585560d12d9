//! `svc-runtime export TENANT`: a tenant as a file in which `apply` finds nothing to change.
//!
//! Secrets and passwords are stored as digests and stay where they are: `apply` keeps what a file does not mention.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use svc_config::Config;
use svc_db::{Db, Tenant as Space, Tx};
use svc_domain::apis::Api;
use svc_domain::apis::roles::{self, Role};
use svc_domain::apps::{self, App, registrations};
use svc_domain::people::groups;
use svc_domain::people::tenant_users::{self, Metadata, Person, Status};
use svc_domain::tenancy::tenants::{self, Tenants};

use super::audit_stream::AuditStream;
use super::connector::Connector;
use super::declared::exported;
use super::hook::Hook;
use super::scim_schema::ScimSchema;
use super::scim_target::ScimTarget;
use super::sign_up_field::SignUpField;
use super::sso_connection::SsoConnection;
use super::terms::Terms;
use super::trusted_issuer::TrustedIssuer;
use super::webhook::Webhook;
use super::{group, organization, policy, role, scopes, texts, unlisted};
use crate::database;
use crate::failure::Failure;
use crate::terminal;

const PAGE: u32 = 200;

/// A tenant in the form of a file.
#[derive(Debug, Serialize)]
pub struct Exported {
    tenant: [ExportedTenant; 1],
    /// What is in no file of TOML, and what `apply` leaves as it is.
    #[serde(skip)]
    left_out: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ExportedTenant {
    slug: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    custom_domain: Option<String>,
    settings: toml::Table,
    #[serde(skip_serializing_if = "Option::is_none")]
    texts: Option<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    application: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    api: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    role: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    group: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    user: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    organization: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    policy: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trusted_issuer: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    webhook: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hook: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    connector: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sso_connection: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    audit_stream: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scim_schema: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scim_target: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    terms: Vec<toml::Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sign_up_field: Vec<toml::Table>,
}

/// Exports a tenant of the configured database as TOML.
pub async fn run(config: &Config, slug: &str, has_users: bool) -> Result<String, Failure> {
    let db = database::open_for_command(config).await?;
    let exported = export(&db, &Tenants::new(db.clone(), config)?, slug, has_users).await?;
    db.close().await;
    for left_out in &exported.left_out {
        terminal::complain(&format!("warning: {left_out}"));
    }
    exported.to_text()
}

/// Reads a tenant, with its people where that is wanted.
pub async fn export(db: &Db, tenants: &Tenants, slug: &str, has_users: bool) -> Result<Exported, Failure> {
    let mut system = db.read_system().await?;
    let id = tenants::find_by_slug(&mut system, slug).await?;
    let id = id.ok_or_else(|| Failure::new(format!("there is no tenant {slug:?}")))?;
    let tenant = tenants.read(&mut system, id).await?;
    let texts = texts::exported(&mut system, id).await?;
    let mut tx = db.read(id).await?;
    let apps = unlisted::applications(&mut tx).await?;
    let (user, left_out) = if has_users { users(&mut tx).await? } else { (Vec::new(), Vec::new()) };
    Ok(Exported {
        left_out,
        tenant: [ExportedTenant {
            slug: tenant.slug.clone(),
            name: tenant.name.clone(),
            custom_domain: tenant.custom_domain.clone(),
            settings: table(&tenant.settings)?,
            texts,
            application: applications(&mut tx, &apps).await?,
            api: apis(&mut tx, &tenant, &apps).await?,
            role: roles(&mut tx, &tenant).await?,
            group: groups(&mut tx).await?,
            user,
            organization: organization::exported(&mut tx, has_users).await?,
            policy: policy::exported(&mut tx).await?,
            trusted_issuer: exported::<TrustedIssuer>(&mut tx).await?,
            webhook: exported::<Webhook>(&mut tx).await?,
            hook: exported::<Hook>(&mut tx).await?,
            connector: exported::<Connector>(&mut tx).await?,
            sso_connection: exported::<SsoConnection>(&mut tx).await?,
            audit_stream: exported::<AuditStream>(&mut tx).await?,
            scim_schema: exported::<ScimSchema>(&mut tx).await?,
            scim_target: exported::<ScimTarget>(&mut tx).await?,
            terms: exported::<Terms>(&mut tx).await?,
            sign_up_field: exported::<SignUpField>(&mut tx).await?,
        }],
    })
}

impl Exported {
    /// The file.
    pub fn to_text(&self) -> Result<String, Failure> {
        toml::to_string(self).map_err(|error| Failure::new(error.to_string()))
    }
}

/// The applications, without those that registered themselves and without the one that the control plane signs operators in with.
async fn applications(tx: &mut Tx<Space>, apps: &[App]) -> Result<Vec<toml::Table>, Failure> {
    let mut exported = Vec::new();
    for app in apps {
        if !apps::control_plane::is(app) && registrations::find(tx, app.id).await?.is_none() {
            exported.push(of_application(app)?);
        }
    }
    Ok(exported)
}

fn of_application(app: &App) -> Result<toml::Table, Failure> {
    let mut exported = table(&app.configuration)?;
    exported.insert("handle".to_owned(), app.handle.clone().into());
    exported.insert("client_id".to_owned(), app.client_id().into());
    exported.insert("enabled".to_owned(), app.enabled.into());
    Ok(exported)
}

/// The APIs, without those that the service keeps in every tenant.
async fn apis(
    tx: &mut Tx<Space>,
    tenant: &tenants::Tenant,
    apps: &[App],
) -> Result<Vec<toml::Table>, Failure> {
    let handles: BTreeMap<_, _> = apps.iter().map(|app| (app.client_id(), app.handle.clone())).collect();
    let own = scopes::all(tx, tenant).await?.into_iter().filter(|api| !tenant.keeps_api(&api.identifier));
    own.map(|api| of_api(api, &handles)).collect()
}

/// With handles of applications, where the record has ids.
fn of_api(api: Api, handles: &BTreeMap<String, String>) -> Result<toml::Table, Failure> {
    let mut configuration = api.configuration;
    for server in &mut configuration.resource_servers {
        if let Some(handle) = handles.get(server) {
            server.clone_from(handle);
        }
    }
    for of in &mut configuration.authorization_details_types {
        of.schema = held(std::mem::take(&mut of.schema));
    }
    let mut exported = table(&configuration)?;
    exported.insert("identifier".to_owned(), api.identifier.into());
    exported.insert("enabled".to_owned(), api.enabled.into());
    Ok(exported)
}

/// The roles, without built-in ones that are as they were made.
async fn roles(tx: &mut Tx<Space>, tenant: &tenants::Tenant) -> Result<Vec<toml::Table>, Failure> {
    let all = role::all(tx, tenant).await?.into_iter();
    let own = all.filter(|role| !role.built_in || role.configuration != roles::Configuration::default());
    own.map(|role| of_role(tenant, role)).collect()
}

/// With the names that the service's own APIs have in every deployment.
fn of_role(tenant: &tenants::Tenant, role: Role) -> Result<toml::Table, Failure> {
    let mut configuration = role.configuration;
    for permission in &mut configuration.permissions {
        permission.api = tenant.stored_audience(&permission.api).to_owned();
    }
    let mut exported = table(&configuration)?;
    exported.insert("name".to_owned(), role.name.into());
    Ok(exported)
}

/// The groups, each with the names of the groups in it.
async fn groups(tx: &mut Tx<Space>) -> Result<Vec<toml::Table>, Failure> {
    let mut exported = Vec::new();
    for (group, inside) in group::all(tx).await? {
        let mut table = table(&group.configuration)?;
        table.insert("groups".to_owned(), Vec::from_iter(inside).into());
        exported.push(table);
    }
    Ok(exported)
}

/// People, and what is left out of them.
async fn users(tx: &mut Tx<Space>) -> Result<(Vec<toml::Table>, Vec<String>), Failure> {
    let (mut users, mut left_out, mut cursor) = (Vec::new(), Vec::new(), None);
    loop {
        let page = tenant_users::list(tx, (cursor, PAGE)).await?;
        cursor = page.last().map(|person| person.id);
        for person in page.iter().filter(|person| person.status != Status::Removed) {
            if let Some(mut exported) = of_person(person, &mut left_out)? {
                let groups = groups::of_person(tx, person.id).await?;
                let names: Vec<_> = groups.into_iter().map(|group| group.configuration.name).collect();
                if !names.is_empty() {
                    exported.insert("groups".to_owned(), names.into());
                }
                users.push(exported);
            }
        }
        if cursor.is_none() {
            return Ok((users, left_out));
        }
    }
}

/// A person whom a file can name.
fn of_person(person: &Person, left_out: &mut Vec<String>) -> Result<Option<toml::Table>, Failure> {
    let mut exported = toml::Table::new();
    let names = [("username", &person.username), ("email", &person.email)];
    for (key, name) in names.into_iter().filter_map(|(key, name)| Some((key, name.as_ref()?))) {
        exported.insert(key.to_owned(), name.clone().into());
    }
    if exported.is_empty() {
        return Ok(None);
    }
    exported.insert("email_verified".to_owned(), person.email_verified.into());
    if person.status == Status::Suspended {
        exported.insert("suspended".to_owned(), true.into());
    }
    exported.insert("roles".to_owned(), person.own_roles.clone().into());
    exported.insert("claims".to_owned(), table(&person.profile)?.into());
    let Metadata { public, private } = &person.metadata;
    for (key, part) in [("public_metadata", public), ("private_metadata", private)] {
        if !part.values().all(is_of_toml) {
            let name = person.username.as_ref().or(person.email.as_ref()).map_or("", String::as_str);
            left_out.push(format!(
                "user {name:?}: {key} is not in the file, and `apply` leaves it as it is: TOML has no null, and no integer above 2^63"
            ));
        } else if !part.is_empty() {
            exported.insert(key.to_owned(), table(part)?.into());
        }
    }
    Ok(Some(exported))
}

/// Whether TOML can hold a value as it is.
fn is_of_toml(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Number(number) => number.is_i64() || number.is_f64(),
        Value::Array(items) => items.iter().all(is_of_toml),
        Value::Object(members) => members.values().all(is_of_toml),
        Value::Bool(_) | Value::String(_) => true,
    }
}

/// A document of the tenant's own: as it is, or as a text in JSON where TOML cannot hold it.
pub(super) fn held(document: Value) -> Value {
    if is_of_toml(&document) { document } else { document.to_string().into() }
}

/// A record as a table; what is not there has no key.
pub(super) fn table(record: &impl Serialize) -> Result<toml::Table, Failure> {
    let faulty = |error: &dyn std::fmt::Display| Failure::new(error.to_string());
    let mut value = serde_json::to_value(record).map_err(|error| faulty(&error))?;
    drop_nulls(&mut value);
    toml::Table::try_from(value).map_err(|error| faulty(&error))
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}
