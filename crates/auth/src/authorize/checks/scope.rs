//! `scope` (RFC 6749 §3.3): what the application may ask for, of what the chosen API offers.

use svc_core::{Error, Result, STANDARD_SCOPES, Scope};
use svc_domain::apis::Api;

use crate::authorize::asked::Asked;
use crate::authorize::request::AuthorizationRequest;

/// Refuses a scope that does not exist or that the application may not ask for; asking for none asks for all that it
/// may, without access in the person's absence.
pub fn check(asked: &Asked<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let possible = offered(asked.api).intersect(&asked.app.configuration.scope);
    let Some(text) = asked.params.one("scope") else {
        request.scope = possible.without("offline_access");
        return Ok(());
    };
    let scope: Scope = text.parse()?;
    if let Some(token) = scope.iter().find(|token| !possible.has(token)) {
        return Err(Error::invalid_scope(format!(
            "this application may not ask for the scope {}",
            shown(token)
        )));
    }
    request.scope = scope;
    Ok(())
}

/// The standard scopes and those of the API.
fn offered(api: Option<&Api>) -> Scope {
    with_standard(api.map(Api::scope))
}

/// What of `asked` a person with `roles` may be given.
pub fn narrowed(asked: &Scope, api: Option<&Api>, roles: &[String]) -> Scope {
    asked.intersect(&with_standard(api.map(|api| api.scope_for(roles))))
}

fn with_standard(own: Option<Scope>) -> Scope {
    STANDARD_SCOPES.iter().copied().collect::<Scope>().union(&own.unwrap_or_default())
}

fn shown(token: &str) -> String {
    token.chars().take(80).collect()
}
