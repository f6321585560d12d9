//! `scope` (RFC 6749 §3.3): what the application may ask for, of what the chosen API offers.

use svc_core::{Error, Result, Scope};
use svc_domain::apis::Api;

use crate::authorize::matrix::Asked;
use crate::authorize::request::AuthorizationRequest;

/// The scopes that mean the same at every API (OpenID Connect Core §5.4, §11).
pub const STANDARD: &[&str] = &["openid", "profile", "email", "address", "phone", "offline_access"];

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
        return Err(Error::invalid_scope(format!("this application may not ask for the scope {}", shown(token))));
    }
    request.scope = scope;
    Ok(())
}

/// The standard scopes and those of the API.
fn offered(api: Option<&Api>) -> Scope {
    let standard: Scope = STANDARD.iter().copied().collect();
    api.map_or_else(|| standard.clone(), |api| standard.union(&api.scope()))
}

/// What of `asked` a person with `roles` may be given.
pub fn narrowed(asked: &Scope, api: Option<&Api>, roles: &[String]) -> Scope {
    let standard: Scope = STANDARD.iter().copied().collect();
    let open = api.map_or_else(|| standard.clone(), |api| standard.union(&api.scope_for(roles)));
    asked.intersect(&open)
}

fn shown(token: &str) -> String {
    token.chars().take(80).collect()
}
