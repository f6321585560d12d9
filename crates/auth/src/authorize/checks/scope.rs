//! `scope` (RFC 6749 §3.3): what the application may ask for, of what the chosen API offers.

use svc_core::{Error, Result, STANDARD_SCOPES, Scope};
use svc_domain::apis::Api;

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;
use crate::authorize::resource::may_have;

/// Refuses a scope that the application may not ask for here; asking for none asks for all that it has, without access in
/// the person's absence. Next to `openid`, a scope that nothing in the tenant knows is ignored (OpenID Connect Core
/// §3.1.2.1), and the token response names what was granted.
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let possible = possible(input);
    let Some(text) = input.params.one("scope") else {
        request.scope = possible.intersect(&input.app.configuration.scope).without("offline_access");
        return Ok(());
    };
    let mut scope: Scope = text.parse()?;
    if scope.has("openid") {
        scope.retain(|token| is_standard(token) || input.known_scope.has(token));
    }
    if let Some(token) = scope.iter().find(|token| !possible.has(token)) {
        return Err(refused(token, input.app.configuration.scope.has(token)));
    }
    request.scope = scope;
    Ok(())
}

/// A scope that the application has is that of another API than the tokens are for.
fn refused(token: &str, is_its_own: bool) -> Error {
    let shown = shown(token);
    Error::invalid_scope(if is_its_own {
        format!("scope: these tokens are not for the API of {shown}; name that API by resource")
    } else {
        format!("scope: this application may not ask for {shown}")
    })
}

/// The standard scopes and those of the API, as far as the application may have them.
fn possible(input: &CheckInput<'_>) -> Scope {
    let may_have = |token: &&str| match input.api {
        Some(api) => may_have(input.app, input.tenant, api, token),
        None => input.app.configuration.scope.has(token),
    };
    with_standard(input.api.map(Api::scope)).iter().filter(may_have).collect()
}

/// What of `requested` a person with `roles` may be given.
pub fn narrowed(requested: &Scope, api: Option<&Api>, roles: &[String]) -> Scope {
    requested.intersect(&with_standard(api.map(|api| api.scope_for(roles))))
}

fn with_standard(own: Option<Scope>) -> Scope {
    STANDARD_SCOPES.iter().copied().collect::<Scope>().union(&own.unwrap_or_default())
}

fn is_standard(token: &str) -> bool {
    STANDARD_SCOPES.contains(&token)
}

fn shown(token: &str) -> String {
    token.chars().take(80).collect()
}
