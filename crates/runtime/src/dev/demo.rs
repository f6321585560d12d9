//! The demo: a tenant, two people and one application of each kind, as a declarative file that is built in.

use serde::Serialize;
use svc_core::{Secret, TenantId};
use svc_db::Db;
use svc_domain::apps::{self, App};
use svc_domain::tenancy::tenants::{self, Tenants};

use super::party::Person;
use super::secrets::Secrets;
use crate::apply::{self, Seed};
use crate::failure::Failure;

/// The slug of the demo tenant.
pub const TENANT: &str = "demo";
/// The administrator's user name.
pub const ADMIN: &str = "admin";
/// The person's user name.
pub const USER: &str = "ada";

/// An application of the demo as programs need to know it.
#[derive(Clone, Debug, Serialize)]
pub struct Client {
    /// Its name in the file.
    pub handle: String,
    /// What people read.
    pub name: String,
    /// Its id at the service.
    #[serde(rename = "client_id")]
    pub id: String,
    /// Its secret, unless it is public.
    #[serde(rename = "client_secret", skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// How it authenticates.
    pub token_endpoint_auth_method: &'static str,
    /// Where its codes may go.
    pub redirect_uris: Vec<String>,
    /// Where sign-out may return to.
    pub post_logout_redirect_uris: Vec<String>,
    /// The grants that it may use.
    pub grant_types: Vec<String>,
    /// The scopes that it may ask for.
    pub scope: String,
}

/// The people of the demo, as its first page offers them.
pub fn people(secrets: &Secrets) -> Vec<Person> {
    vec![
        Person { username: USER, name: "Ada", password: secrets.user_password.clone() },
        Person { username: ADMIN, name: "the administrator", password: secrets.admin_password.clone() },
    ]
}

/// The file with everything filled in.
pub fn seed(issuer: &str, secrets: &Secrets) -> Result<Seed, Failure> {
    // None of the values holds a character that means something in TOML.
    let filled = include_str!("demo.toml")
        .replace("{issuer}", issuer.trim_end_matches('/'))
        .replace("{admin_password}", &secrets.admin_password)
        .replace("{user_password}", &secrets.user_password)
        .replace("{web_secret}", &secrets.web_secret)
        .replace("{service_secret}", &secrets.service_secret)
        .replace("{admin_cli_secret}", &secrets.admin_cli_secret)
        .replace("{management_scopes}", &management_scopes());
    Seed::parse(&filled)
}

/// Every scope of the management API.
fn management_scopes() -> String {
    let names = svc_control::scopes().into_iter().map(|(name, _)| name);
    names.collect::<Vec<_>>().join(" ")
}

/// The demo and a file as one. Where both have a record, the file's is the one that counts: applied one after the other they
/// would overwrite each other, and the demo would miss what it refers to.
pub fn with(mut seed: Seed, further: Option<&Seed>) -> Seed {
    for theirs in further.into_iter().flat_map(|further| &further.tenant) {
        match seed.tenant.iter_mut().find(|ours| ours.slug == theirs.slug) {
            Some(ours) => merge(ours, theirs.clone()),
            None => seed.tenant.push(theirs.clone()),
        }
    }
    seed
}

fn merge(ours: &mut apply::Tenant, mut theirs: apply::Tenant) {
    ours.application.retain(|ours| theirs.application.iter().all(|theirs| theirs.handle != ours.handle));
    ours.api.retain(|ours| theirs.api.iter().all(|theirs| theirs.identifier != ours.identifier));
    ours.role.retain(|ours| theirs.role.iter().all(|theirs| theirs.name != ours.name));
    ours.group.retain(|ours| {
        theirs.group.iter().all(|theirs| theirs.configuration.name != ours.configuration.name)
    });
    ours.user.retain(|ours| theirs.user.iter().all(|theirs| theirs.name() != ours.name()));
    theirs.application.append(&mut ours.application);
    theirs.api.append(&mut ours.api);
    theirs.role.append(&mut ours.role);
    theirs.group.append(&mut ours.group);
    theirs.user.append(&mut ours.user);
    *ours = theirs;
}

/// The applications of the demo, in the order in which programs look for one that suits them; then those of the file that
/// was given for the demo tenant.
pub async fn clients(
    db: &Db,
    tenants: &Tenants,
    secrets: &Secrets,
    further: Option<&Seed>,
) -> Result<(TenantId, Vec<Client>), Failure> {
    let mut system = db.read_system().await?;
    let tenant = tenants::find_by_slug(&mut system, TENANT).await?;
    drop(system);
    let tenant = tenants.by_id(tenant.ok_or_else(|| Failure::new("the demo tenant is missing"))?).await?;
    let theirs = applications(further);
    let ours = [
        ("spa", None),
        ("web", Some(&secrets.web_secret)),
        ("service", Some(&secrets.service_secret)),
        ("third-party", None),
        ("native", None),
        ("relying-party", None),
        ("device", None),
        ("admin-cli", Some(&secrets.admin_cli_secret)),
    ];
    let ours = ours.into_iter().map(|(handle, secret)| (handle, secret.map(String::as_str)));
    let ours = ours.filter(|(handle, _)| theirs.iter().all(|(theirs, _)| theirs != handle));
    let mut tx = db.read(tenant.id).await?;
    let mut clients = Vec::new();
    for (handle, secret) in ours.chain(theirs.iter().copied()) {
        let app = apps::find_by_handle(&mut tx, handle).await?;
        let app = app.ok_or_else(|| Failure::new(format!("the demo application {handle} is missing")))?;
        clients.push(Client::of(app, secret.map(str::to_owned)));
    }
    Ok((tenant.id, clients))
}

/// Returns handle and secret of the applications that a file has in the demo tenant.
fn applications(further: Option<&Seed>) -> Vec<(&str, Option<&str>)> {
    let tenants = further.into_iter().flat_map(|further| &further.tenant);
    let demo = tenants.filter(|tenant| tenant.slug == TENANT);
    let all = demo.flat_map(|tenant| &tenant.application);
    all.map(|app| (app.handle.as_str(), app.secret.as_ref().map(Secret::expose))).collect()
}

impl Client {
    fn of(app: App, secret: Option<String>) -> Self {
        let configuration = app.configuration;
        Self {
            handle: app.handle,
            name: configuration.name,
            id: app.id.to_string(),
            secret,
            token_endpoint_auth_method: configuration.token_endpoint_auth_method.name(),
            redirect_uris: configuration.redirect_uris,
            post_logout_redirect_uris: configuration.post_logout_redirect_uris,
            grant_types: configuration.grant_types,
            scope: configuration.scope.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;

    use super::*;

    #[test]
    fn the_built_in_file_is_well_formed_for_any_credentials() {
        let folder = tempfile::tempdir().unwrap();
        let secrets = super::super::secrets::kept_in(folder.path(), &SeededEntropy::new(1)).unwrap();
        let seed = seed("http://localhost:8080", &secrets).unwrap();
        assert_eq!(seed.tenant[0].application.len(), 9);
        assert_eq!(seed.tenant[0].user[1].claims.as_ref().unwrap().given_name.as_deref(), Some("Ada"));
    }
}
