//! The chain of actors (RFC 8693 §4.1): it grows at each hop, never loses a link, and never comes back to itself.

use serde_json::{Map, Value, json};
use svc_core::Error;
use svc_domain::tokens::access_token::{self, SubjectType};

use super::subject::ACCESS_TOKEN;
use crate::token::grant::Request;

/// The longest chain of actors that a token may carry.
const DEEPEST: usize = 4;

/// The `act` of the new token: the application before those who acted already. An application that may impersonate does
/// so unless it names itself with an `actor_token`.
pub(crate) fn extended(request: &Request<'_>, prior: Option<Value>) -> Result<Option<Value>, Error> {
    let is_named = named(request)?;
    let client_id = request.app.client_id();
    let before = chain(prior.as_ref());
    if before.contains(&client_id.as_str()) {
        return Err(Error::invalid_request(
            "the application acts already in the chain of this subject_token",
        ));
    }
    if request.app.configuration.may_impersonate && !is_named {
        return Ok(prior);
    }
    if before.len() >= DEEPEST {
        return Err(Error::invalid_request("the chain of actors is as long as it may be"));
    }
    let mut act = Map::new();
    act.insert("sub".to_owned(), json!(client_id));
    if let Some(prior) = prior {
        act.insert("act".to_owned(), prior);
    }
    Ok(Some(Value::Object(act)))
}

/// Whether the application names itself with a token of its own; naming another actor is refused.
fn named(request: &Request<'_>) -> Result<bool, Error> {
    let (token, kind) = match (request.params.one("actor_token"), request.params.one("actor_token_type")) {
        (None, None) => return Ok(false),
        (Some(token), Some(kind)) => (token, kind),
        _ => return Err(Error::invalid_request("actor_token, actor_token_type: send both or neither")),
    };
    if kind != ACCESS_TOKEN {
        return Err(Error::invalid_request("actor_token_type: only access tokens are accepted"));
    }
    let refused = || Error::invalid_request("actor_token: give a valid token of the application itself");
    let host = request.host;
    let services = &host.app.services;
    let ring = services.keys.ring(host.tenant.id);
    let claims = access_token::verify_for_any_api(&ring, token, &host.tenant.issuer, host.cx.now);
    let claims = claims.map_err(|_| refused())?;
    let is_own = claims.subject_type == SubjectType::System && claims.client_id == request.app.client_id();
    let is_live = claims.tenant_id == host.tenant.id.reference() && !services.revocations.is_revoked(&claims);
    let is_held = claims.cnf.is_none_or(|bound| request.holds(&bound));
    if is_own && is_live && is_held { Ok(true) } else { Err(refused()) }
}

/// The actors of a chain, the present one first.
fn chain(act: Option<&Value>) -> Vec<&str> {
    let links = std::iter::successors(act, |act| act.get("act"));
    links.map(|act| act.get("sub").and_then(Value::as_str).unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_read_from_the_present_actor_to_the_first() {
        let act = json!({ "sub": "c", "act": { "sub": "b", "act": { "sub": "a" } } });
        assert_eq!(chain(Some(&act)), ["c", "b", "a"]);
        assert_eq!(chain(None), Vec::<&str>::new());
    }
}
