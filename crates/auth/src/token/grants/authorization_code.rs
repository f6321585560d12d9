//! The authorization code grant (RFC 6749 §4.1.3, RFC 7636 §4.6): a code is exchanged once, by the application it was issued to.

use serde_json::json;
use svc_core::Error;
use svc_core::events::SuspiciousActivity;
use svc_db::{Tenant, Tx};
use svc_domain::apps::GrantType;
use svc_domain::grants::codes::{self, Spending, Spent};
use svc_domain::grants::grant::Authentication;
use svc_domain::grants::refresh;
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::sessions;

use crate::authorize::WrongAddress;
use crate::token::approval::{Approval, Bounds, Denied, Refresh};
use crate::token::grant::{Approve, Deciding, Grant, Request};
use crate::token::organization;

pub(super) const GRANT: Grant = Grant {
    facts: GrantType {
        name: "authorization_code",
        label: "authorization_code",
        capability: None,
        is_confidential: false,
        may_be_self_registered: true,
        needs_person: true,
        needed: &["code"],
        parameters: &["redirect_uri", "code_verifier"],
    },
    approve: Approve::Stored(approve),
};

fn approve<'a>(request: &'a Request<'a>, tx: &'a mut Tx<Tenant>) -> Deciding<'a> {
    Box::pin(exchange(request, tx))
}

async fn exchange(request: &Request<'_>, tx: &mut Tx<Tenant>) -> Result<Approval, Denied> {
    let code = request.params.required("code")?;
    let cx = &request.host.cx;
    let digest = svc_keys::digest(code);
    let (spent, person) = match codes::spend(tx, cx, digest).await? {
        Spending::Spent(spent, person) => (spent, person),
        Spending::Replayed { app, family } if app == request.app.id => {
            refresh::revoke_family(tx, cx, family).await?;
            codes::forget(tx, digest);
            suspicious(request, tx, "an authorization code was used twice");
            return Err(Denied::burning(unusable()));
        }
        Spending::Replayed { .. } | Spending::Unknown => return Err(unusable().into()),
    };
    if let Err(error) = check_binding(request, &spent) {
        // A client that authenticated and yet does not fit has got hold of another client's code. A public client proves
        // nothing by its name, so a stranger cannot burn a code of another application with it.
        let is_owner = spent.app == request.app.id;
        if !is_owner && request.app.is_public() {
            return Err(error.into());
        }
        suspicious(request, tx, "an authorization code was presented with the wrong proof");
        return Err(Denied::burning(error));
    }
    // Nothing is burnt: the code is taken back, and its owner may ask for what was granted.
    request.check_resource(&spent.grant.audience)?;
    // A code of a session that ended with a change of password must not begin a family that outlives it.
    let Authentication { session, auth_time, .. } = spent.grant.authentication;
    let may = person.may_sign_in()
        && sessions::is_younger(tx, (session, auth_time), person.credentials_changed_at).await?;
    if !may {
        return Err(unusable().into());
    }
    let organization = organization::granted(request.host, tx, &person, spent.grant.organization).await?;
    let organization = organization.ok_or_else(unusable)?;
    let ends_at = spent.grant.authentication.acting.as_ref().map(|acting| acting.ends_at);
    if ends_at.is_some_and(|end| end <= cx.now) {
        return Err(unusable().into());
    }
    Ok(Approval {
        family: Some(spent.family),
        refresh: Refresh::Begin,
        nonce: spent.grant.nonce.clone(),
        organization,
        bounds: Bounds { ends_at, ..Bounds::default() },
        ..Approval::of_grant(person, spent.grant, request.confirmation())
    })
}

fn check_binding(request: &Request<'_>, spent: &Spent) -> Result<(), Error> {
    if spent.app != request.app.id {
        return Err(unusable());
    }
    let (named, granted) = (request.params.one("redirect_uri"), &spent.grant.redirect_uri);
    if named != Some(granted.as_str()) {
        let expected = std::slice::from_ref(granted);
        let wrong = WrongAddress { parameter: "redirect_uri", sent: named.unwrap_or_default(), expected };
        return Err(wrong.explain(request.host, unusable()));
    }
    let verifier = request.params.one("code_verifier");
    let is_proven = match (&spent.grant.code_challenge, verifier) {
        (Some(challenge), Some(verifier)) => svc_keys::pkce::verify_s256(challenge, verifier),
        (None, None) => true,
        // A verifier without a challenge tells of a downgraded authorization request (RFC 9700 §4.8).
        (Some(_), None) | (None, Some(_)) => false,
    };
    if !is_proven {
        return Err(unusable());
    }
    request.check_key(&spent.grant)
}

fn suspicious(request: &Request<'_>, tx: &mut Tx<Tenant>, what: &str) {
    let event =
        SuspiciousActivity { client_id: Some(request.app.id), tenant_user_id: None, reason: what.to_owned() };
    let meaning = Meaning::denied(Action::CodeMisused, request.app.id).with(json!({ "reason": what }));
    record(tx, &request.host.cx, meaning.telling(event));
}

fn unusable() -> Error {
    Error::invalid_grant("the code is unknown, expired, used, or was issued for another request; start again")
}
