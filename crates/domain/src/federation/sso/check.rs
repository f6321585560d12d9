//! What a connection may be: its words and addresses, the roles that it gives, and its client secret.

use std::collections::BTreeSet;

use svc_core::text::is_visible;
use svc_core::{Error, Result, Secret};
use svc_db::{Tenant, Tx};

use super::{ClaimMapping, Configuration};
use crate::apis::roles;
use crate::checks::{is_line, require};
use crate::web_uri::is_web_uri;

/// Longest secret that providers give.
const LONGEST_SECRET: usize = 1024;

/// Refuses a configuration that could not work, or that names roles that there are not. One that it named before may have been deleted
/// since: that is no reason to leave the connection as it is.
pub(super) async fn configuration(
    tx: &mut Tx<Tenant>,
    wanted: &Configuration,
    before: Option<&Configuration>,
) -> Result<()> {
    let Configuration { display_name, issuer, client_id, scopes, claims, group_roles, jit, .. } = wanted;
    let is_scope = |scope: &String| scope.parse::<svc_core::Scope>().is_ok_and(|one| one.iter().count() == 1);
    let groups: BTreeSet<_> = group_roles.iter().map(|mapped| &mapped.group).collect();
    let acr_values: BTreeSet<_> = wanted.second_factor_acr_values.iter().collect();
    let is_token =
        |text: &String| (1..=255).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    let ClaimMapping { email, name, groups: groups_claim, domain } = claims;
    Error::every([
        require(
            is_line(display_name, 120) && is_visible(display_name),
            "display_name: use 1 to 120 characters without control characters, of which one can be seen",
        ),
        require(
            is_web_uri(issuer) && !issuer.contains(['#', '?']),
            "issuer: give an https URL without query and fragment",
        ),
        require(is_line(client_id, 255), "client_id: use 1 to 255 characters without control characters"),
        require(
            scopes.len() <= 20 && scopes.iter().all(is_scope) && scopes.iter().any(|scope| scope == "openid"),
            "scopes: name at most 20 scopes, with `openid` among them",
        ),
        require(
            [email, name, groups_claim].into_iter().chain(domain).all(|claim| is_line(claim, 255)),
            "claims: name each claim by 1 to 255 characters without control characters",
        ),
        require(
            acr_values.len() == wanted.second_factor_acr_values.len()
                && acr_values.len() <= 10
                && acr_values.into_iter().all(is_token),
            "second_factor_acr_values: name at most 10 values, each once, of 1 to 255 printable ASCII characters without spaces",
        ),
        require(
            groups.len() == group_roles.len() && groups.len() <= 200,
            "group_roles: name at most 200 groups, each once",
        ),
        require(
            group_roles.iter().all(|mapped| is_line(&mapped.group, 255) && !mapped.roles.is_empty()),
            "group_roles: give each group a name of 1 to 255 characters and at least one role",
        ),
        require(
            group_roles.iter().map(|mapped| mapped.roles.len()).chain([jit.roles.len()]).all(|n| n <= 100),
            "roles: use at most 100",
        ),
        require(
            wanted.enabled || !wanted.enforced,
            "enforced: people cannot be led to a connection that is not enabled; set `enabled` too",
        ),
    ])?;
    let named = before.map(Configuration::roles).unwrap_or_default();
    let added: Vec<String> = wanted.roles().into_iter().filter(|role| !named.contains(role)).collect();
    roles::check_known(tx, &added).await
}

/// Refuses a secret that no provider gives, and a way of authentication without what it needs.
pub(super) fn secret(wanted: &Configuration, given: Option<&Secret>, is_kept: bool) -> Result<()> {
    let fits = |secret: &Secret| {
        let text = secret.expose();
        (1..=LONGEST_SECRET).contains(&text.len()) && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
    };
    match given {
        Some(secret) if !fits(secret) => {
            Err(Error::bad_request("client_secret: use 1 to 1024 printable ASCII characters"))
        }
        Some(_) if !wanted.client_auth.needs_secret() => {
            Err(Error::bad_request("client_secret: leave it out, `private_key_jwt` uses none"))
        }
        None if wanted.client_auth.needs_secret() && !is_kept => {
            Err(Error::bad_request("client_secret: give the secret that the provider made for `client_id`"))
        }
        _ => Ok(()),
    }
}
