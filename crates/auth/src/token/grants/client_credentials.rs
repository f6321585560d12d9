//! The client credentials grant (RFC 6749 §4.4): a confidential application acting for itself.

use svc_core::{STANDARD_SCOPES, Scope};
use svc_domain::apps::GrantType;

use crate::token::approval::{Approval, Denied, Subject};
use crate::token::grant::{Approve, Grant, Request, not_allowed};

pub(super) const GRANT: Grant = Grant {
    facts: GrantType {
        name: "client_credentials",
        label: "client_credentials",
        capability: None,
        is_confidential: true,
        may_be_self_registered: false,
        needs_person: false,
        needed: &[],
        parameters: &[],
    },
    approve: Approve::Stateless(approve),
};

fn approve(request: &Request<'_>) -> Result<Approval, Denied> {
    let app = &request.app.configuration;
    // The standard scopes concern a person.
    let is_allowed = |token: &str| app.scope.has(token) && !STANDARD_SCOPES.contains(&token);
    let scope = match request.params.one("scope") {
        None => app.scope.iter().filter(|token| is_allowed(token)).collect(),
        Some(requested) => {
            let requested: Scope = requested.parse()?;
            if let Some(token) = requested.iter().find(|token| !is_allowed(token)) {
                return Err(not_allowed(token).into());
            }
            requested
        }
    };
    let tenant = &request.host.tenant;
    let usual = || app.audience.as_deref().map(|stored| tenant.audience_of(stored));
    let audience = request.resource.clone().or_else(usual).unwrap_or_else(|| tenant.issuer.clone());
    Ok(Approval::new(Subject::App, scope, audience, request.confirmation()))
}
