//! The client credentials grant (RFC 6749 §4.4): a confidential application acting for itself.

use svc_core::{Error, Scope};
use svc_domain::claims::claims_request::ClaimsRequest;

use crate::token::approval::{Approval, Bounds, Denied, Refresh, Subject};
use crate::token::grant::{Approve, Grant, Request};

pub(super) const GRANT: Grant = Grant { name: "client_credentials", approve: Approve::Stateless(approve) };

/// Scopes that concern a person.
const PERSONAL: &[&str] = &["openid", "profile", "email", "address", "phone", "offline_access"];

fn approve(request: &Request<'_>) -> Result<Approval, Denied> {
    let app = &request.app.configuration;
    if request.app.is_public() {
        return Err(Error::unauthorized_client("client_credentials is for confidential applications").into());
    }
    let is_allowed = |token: &str| app.scope.has(token) && !PERSONAL.contains(&token);
    let scope = match request.params.one("scope") {
        None => app.scope.iter().filter(|token| is_allowed(token)).collect(),
        Some(asked) => {
            let asked: Scope = asked.parse()?;
            if !asked.iter().all(is_allowed) {
                return Err(
                    Error::invalid_scope("a requested scope is not allowed for this application").into()
                );
            }
            asked
        }
    };
    let audience = request.params.one("resource").map(str::to_owned).or_else(|| app.audience.clone());
    Ok(Approval {
        subject: Subject::App,
        scope,
        audience: audience.unwrap_or_else(|| request.host.tenant.issuer.clone()),
        family: None,
        refresh: Refresh::No,
        nonce: None,
        bound_to: request.proven_key(),
        authorization_details: Vec::new(),
        claims: ClaimsRequest::default(),
        actor: None,
        issued_token_type: None,
        bounds: Bounds::default(),
    })
}
