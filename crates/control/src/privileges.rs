//! What a caller may give to others: nothing that it does not hold itself, unless its token has [`GRANT`].
//!
//! The same rule holds for what a caller could take over: to change the credentials or addresses of something that is
//! more powerful than the caller is to become it.

use svc_core::capability::Capability;
use svc_core::{Error, Result, Scope};
use svc_db::{Tenant, Tx};
use svc_domain::apis::{self, roles::Permission};
use svc_domain::apps::{self, App, Configuration, Rules};
use svc_domain::organizations;
use svc_domain::people::tenant_users::{self, Person};
use svc_domain::tokens::access_token::SubjectType;
pub(crate) use svc_http::GRANT;
use svc_http::TenantCx;

/// The sentence that people read at consent.
pub(crate) const SENTENCE: &str = "Give applications and people privileges beyond its own";

/// Scopes that are about the person alone, who consents to each.
const PERSONAL: &[&str] =
    &["openid", "profile", "email", "address", "phone", "offline_access", "roles", "groups"];

/// What a caller lacks, as `member: value`.
#[derive(Default)]
struct Lacking(Vec<String>);

/// The caller must hold all that an application may do.
pub(crate) async fn for_application(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    configuration: &Configuration,
) -> Result<()> {
    if may_grant(caller) {
        return Ok(());
    }
    let own = application_of(caller, tx).await?;
    let own = own.as_ref().map(|app| &app.configuration);
    let mut lacking = Lacking::default();
    lacking.scopes(caller, &configuration.scope);
    // Public applications prove nothing: in a grant that they may use, a person signs in and agrees each time.
    let grants = caller.app.part::<Rules>()?.grants();
    let is_open = |name: &str| {
        grants.iter().any(|grant| grant.name == name && grant.needs_person && !grant.is_confidential)
    };
    let holds = |held: fn(&Configuration) -> bool| own.is_some_and(held);
    lacking.flag("first_party", configuration.first_party, holds(|own| own.first_party));
    lacking.flag("may_impersonate", configuration.may_impersonate, holds(|own| own.may_impersonate));
    for grant in configuration.grant_types.iter().filter(|grant| !is_open(grant)) {
        lacking.unless(own.is_some_and(|own| own.grant_types.contains(grant)), "grant_types", grant);
    }
    let goes_without =
        |of: &Configuration, capability: &Capability| !of.disabled_capabilities.keeps(capability);
    for capability in Capability::ALL {
        let is_widened =
            own.is_some_and(|own| goes_without(own, capability)) && !goes_without(configuration, capability);
        lacking.unless(!is_widened, "disabled_capabilities", capability.name);
    }
    for name in &configuration.authorization_details_types {
        let held = own.is_some_and(|own| own.authorization_details_types.contains(name));
        lacking.unless(held, "authorization_details_types", name);
    }
    for target in &configuration.identity_assertions {
        let held = own.is_some_and(|own| own.identity_assertions.contains(target));
        lacking.unless(held, "identity_assertions", &target.audience);
    }
    lacking.refuse()
}

/// To open a scope of an API to more people, or its tokens to another application, the caller needs [`GRANT`]: its token is for
/// this API, and a scope of the same name here says nothing of it. `None` stands for an API that is not there yet, or no longer.
/// A scope that is bound to roles is opened by taking it out too: what is put in later knows nothing of the roles.
pub(crate) fn for_api(
    caller: &TenantCx,
    present: Option<&apis::Configuration>,
    wanted: Option<&apis::Configuration>,
) -> Result<()> {
    if may_grant(caller) {
        return Ok(());
    }
    let mut lacking = Lacking::default();
    let wanted_scopes = wanted.map(|wanted| wanted.scopes.as_slice()).unwrap_or_default();
    for before in
        present.into_iter().flat_map(|present| &present.scopes).filter(|scope| !scope.roles.is_empty())
    {
        let after = wanted_scopes.iter().find(|after| after.name == before.name);
        let is_opened = after.is_none_or(|after| {
            after.roles.is_empty() || after.roles.iter().any(|role| !before.roles.contains(role))
        });
        lacking.unless(!is_opened, "scopes", &before.name);
    }
    let is_present = |server: &String| present.is_some_and(|api| api.resource_servers.contains(server));
    for server in wanted.into_iter().flat_map(|wanted| &wanted.resource_servers) {
        let is_held = is_present(server) || *server == caller.claims.client_id;
        lacking.unless(is_held, "resource_servers", server);
    }
    lacking.refuse()
}

/// To let an application answer for the management API, be it the caller's own, takes [`GRANT`]: it may exchange what it is sent,
/// also where that is bound to a key of its holder.
pub(crate) fn for_management_api(
    caller: &TenantCx,
    present: &apis::Configuration,
    wanted: &apis::Configuration,
) -> Result<()> {
    if may_grant(caller) {
        return Ok(());
    }
    let mut lacking = Lacking::default();
    for server in &wanted.resource_servers {
        lacking.unless(present.resource_servers.contains(server), "resource_servers", server);
    }
    lacking.refuse()
}

/// The caller must hold the scopes that a role permits from now on.
pub(crate) fn for_permissions(
    caller: &TenantCx,
    present: &[Permission],
    wanted: &[Permission],
) -> Result<()> {
    if may_grant(caller) {
        return Ok(());
    }
    let has = |permission: &Permission, api: &str, scope: &String| {
        permission.api == api && permission.scopes.contains(scope)
    };
    let mut lacking = Lacking::default();
    for Permission { api, scopes } in wanted {
        for scope in scopes {
            let is_present = present.iter().any(|permission| has(permission, api, scope));
            // The scope of another API may have the same name.
            let is_held = *api == caller.claims.aud && caller.claims.scope.has(scope);
            lacking.unless(is_present || is_held, "permissions", scope);
        }
    }
    lacking.refuse()
}

/// The caller must have the roles that it gives.
pub(crate) async fn for_roles(caller: &TenantCx, tx: &mut Tx<Tenant>, roles: &[String]) -> Result<()> {
    if may_grant(caller) || roles.is_empty() {
        return Ok(());
    }
    let person = match caller.claims.subject_type {
        SubjectType::Human => tenant_users::find_by_subject(tx, &caller.claims.sub).await?,
        _ => None,
    };
    let mut lacking = Lacking::default();
    for role in roles {
        let is_held = person.as_ref().is_some_and(|person| person.roles.contains(role));
        lacking.unless(is_held, "roles", role);
    }
    lacking.refuse()
}

/// The caller must have the roles that a person has whom it lets in, or could become: in the tenant, and in each organization.
pub(crate) async fn for_person(caller: &TenantCx, tx: &mut Tx<Tenant>, person: &Person) -> Result<()> {
    if may_grant(caller) {
        return Ok(());
    }
    let mut roles = person.roles.clone();
    roles.extend(organizations::roles_in_any(tx, person.id).await?);
    roles.sort_unstable();
    roles.dedup();
    for_roles(caller, tx, &roles).await
}

/// The caller must have the roles that it gives to one who has some already.
pub(crate) async fn for_added_roles(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    present: &[String],
    wanted: &[String],
) -> Result<()> {
    let added: Vec<_> = wanted.iter().filter(|role| !present.contains(role)).cloned().collect();
    for_roles(caller, tx, &added).await
}

/// The caller must hold the scopes that it gives.
pub(crate) fn for_scope(caller: &TenantCx, scope: &Scope) -> Result<()> {
    if may_grant(caller) {
        return Ok(());
    }
    let mut lacking = Lacking::default();
    lacking.scopes(caller, scope);
    lacking.refuse()
}

/// What acts for people whom the caller does not name needs the scope itself.
pub(crate) fn always(caller: &TenantCx, what: &str) -> Result<()> {
    if may_grant(caller) { Ok(()) } else { Err(refusal(what)) }
}

/// Whether the caller may give what it does not hold.
pub(crate) fn may_grant(caller: &TenantCx) -> bool {
    caller.claims.scope.has(GRANT)
}

async fn application_of(caller: &TenantCx, tx: &mut Tx<Tenant>) -> Result<Option<App>> {
    let client_id = &caller.claims.client_id;
    match client_id.parse() {
        Ok(id) => apps::find(tx, id).await,
        Err(_) => apps::find_by_handle(tx, client_id).await,
    }
}

impl Lacking {
    fn scopes(&mut self, caller: &TenantCx, wanted: &Scope) {
        for scope in wanted.iter().filter(|scope| !PERSONAL.contains(scope)) {
            self.unless(caller.claims.scope.has(scope), "scope", scope);
        }
    }

    fn flag(&mut self, member: &str, wanted: bool, held: bool) {
        self.unless(!wanted || held, member, "true");
    }

    fn unless(&mut self, held: bool, member: &str, value: &str) {
        if !held {
            self.0.push(format!("{member}: {value}"));
        }
    }

    fn refuse(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(refusal(&self.0.join(", "))) }
    }
}

fn refusal(what: &str) -> Error {
    Error::insufficient_scope(format!(
        "{what}: the caller does not hold this; give less, or use a token with the scope {GRANT}"
    ))
}
