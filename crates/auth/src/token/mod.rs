//! The token endpoint (RFC 6749 §3.2): one pipeline that no grant can leave.

mod approval;
mod details;
mod exchange;
mod forms;
mod grant;
pub mod grants;
pub mod id_jag;
mod id_token;
mod interaction;
mod introspect;
mod issue;
mod organization;
mod pre_token;
mod revoke;
mod signed_introspection;
mod tokens;
mod userinfo;
mod uses;
mod ways;

use std::sync::Arc;

use svc_core::{Error, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::apps::App;
use svc_domain::tokens::access_token::Claims;
use svc_http::dpop::{self, Proof};
use svc_http::{
    HeaderMap, HostCx, IntoResponse, Method, OauthError, Params, Response, Route, Routes, SentForm,
};

use self::approval::{Approval, Denied, Leaves};
use self::grant::{Approve, Decide, Grant, Request};
use self::issue::Unsigned;
pub use self::revoke::report as report_revoked;
use self::tokens::Tokens;
use crate::authorize::resource;
use crate::clients::{self, Authenticated, Notes, refusals};
use crate::register::origins;

/// This endpoint, and those at which tokens are looked into, ended and used.
pub fn routes() -> Routes {
    let endpoint = Route::post("/oauth/token").client(token).cors(origins::registered());
    let endpoint = endpoint.summary("Exchange a grant for tokens").forms(forms::forms).returns::<Tokens>(200);
    Routes::new([endpoint.describe(
        "Which parameters a request needs is a matter of its `grant_type` (RFC 6749 §4). A DPoP proof in the header `DPoP` \
         binds the tokens to its key (RFC 9449).",
    )])
        .merge(introspect::routes())
        .merge(revoke::routes())
        .merge(userinfo::routes())
}

async fn token(host: HostCx, SentForm { headers, params }: SentForm) -> Result<Response, OauthError> {
    let app = host.app.clone();
    let named = params.one("grant_type").unwrap_or_default();
    let known = grants::types().find(|grant| grant.name == named);
    let grant = known.map_or("unknown", |grant| grant.label);
    let answer = exchanged(host, &headers, &params).await;
    let outcome = answer.as_ref().map_or_else(|error| error.class().code(), |_| "success");
    app.metrics.count_one("token_requests_total", &[("grant", grant), ("outcome", outcome)]);
    Ok(answer?.into_response())
}

async fn exchanged(host: HostCx, headers: &HeaderMap, params: &Params) -> Result<Tokens, Error> {
    let url = format!("{}/oauth/token", host.origin());
    let proof = dpop::proof(&host, headers, &Method::POST, &url);
    let Authenticated { app, proof, notes } =
        clients::authenticate_with(&host, headers, params, proof).await?;
    let host = host.performed_by_app(&app);
    let outcome = decided(&host, (&app, proof), params, &notes).await;
    notes.settle(&host, outcome).await
}

/// Redeems a code that comes back to the service itself, which answers for an application behind a proxy: as the endpoint
/// would, but signs no token. Returns what an access token that lives for `lifetime` would say. Who redeems the code is proven
/// by the `code_verifier`.
pub async fn redeemed(
    host: &HostCx,
    app: &Arc<App>,
    params: &Params,
    lifetime: Seconds,
) -> Result<Claims, Error> {
    let host = &host.clone().performed_by_app(app);
    let notes = &Notes::none(app.client_id());
    let (dpop_jkt, certificate) = (None, None);
    let request =
        Request { host, app, params, dpop_jkt, certificate, resource: None, notes, issuer_keys: None };
    match allowed_grant(&request)?.approve {
        Approve::Stored(approve) => {
            request.notes.before(host).await?;
            let unsigned = decided_and_settled(&request, Decision::Stored(approve)).await?;
            Ok(unsigned.claims(&request, lifetime))
        }
        Approve::Stateless(_) | Approve::Polled(..) => {
            Err(Error::internal("codes are redeemed with records"))
        }
    }
}

async fn decided(
    host: &HostCx,
    (app, proof): (&Arc<App>, Result<Option<Proof>, Error>),
    params: &Params,
    notes: &Notes,
) -> Result<Tokens, Error> {
    let resource = resource::named(host, params).await?;
    let mut request =
        Request { host, app, params, dpop_jkt: None, certificate: None, resource, notes, issuer_keys: None };
    let grant = allowed_grant(&request)?;
    request.dpop_jkt = proven_key(&request, proof?)?;
    request.certificate = presented_certificate(&request)?;
    match grant.approve {
        Approve::Stateless(approve) => stateless(&request, approve).await,
        Approve::Stored(approve) => stored(&request, approve).await,
        Approve::Polled(look, approve) => {
            request.issuer_keys = look(&request).await?;
            stored(&request, approve).await
        }
    }
}

fn allowed_grant(request: &Request<'_>) -> Result<&'static Grant, Error> {
    let name = request.params.one("grant_type").filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| Error::unsupported_grant_type("the parameter grant_type is missing"))?;
    let grant = grants::offered(request.host).find(|grant| grant.facts.name == name);
    let grant =
        grant.ok_or_else(|| Error::unsupported_grant_type("grant_type: this one is not offered here"))?;
    let is_kept = grant.facts.capability.is_none_or(|capability| request.app.keeps(capability));
    let is_fit = is_kept && !(grant.facts.is_confidential && request.app.is_public());
    if is_fit && request.app.allows_grant(grant.facts.name) {
        Ok(grant)
    } else {
        Err(Error::unauthorized_client("grant_type: the application may not use this one"))
    }
}

/// The key of the request's DPoP proof (RFC 9449 §5), which some applications may not leave out.
fn proven_key(request: &Request<'_>, proof: Option<Proof>) -> Result<Option<String>, Error> {
    let proof = clients::offered_proof(request.host, request.app, proof)?;
    if proof.is_none() && request.app.needs_dpop() {
        return Err(Error::invalid_dpop_proof(
            "the application's tokens are bound to a key; send a DPoP proof",
        ));
    }
    Ok(proof.map(|proof| proof.jkt))
}

/// The certificate of the connection, which some applications may not do without (RFC 8705 §3).
fn presented_certificate(request: &Request<'_>) -> Result<Option<String>, Error> {
    let certificate = clients::certificate(request.host, request.app);
    if certificate.is_none() && request.app.binds_to_certificate() {
        return Err(Error::invalid_request(
            "the application's tokens are bound to a client certificate; connect with one",
        ));
    }
    Ok(certificate.map(|certificate| certificate.thumbprint().to_owned()))
}

async fn stateless(
    request: &Request<'_>,
    approve: fn(&Request<'_>) -> Result<Approval, Denied>,
) -> Result<Tokens, Error> {
    // No transaction decides here: that the request is new is known first.
    request.notes.keep(request.host).await?;
    if !request.host.tenant.settings.record_every_token {
        let approval = approve(request).map_err(|denied| denied.error)?;
        return issue::with_journal(request, approval).await;
    }
    issue::can_sign(request).await?;
    decided_and_settled(request, Decision::Stateless(approve)).await?.sign(request).await
}

async fn stored(request: &Request<'_>, approve: Decide) -> Result<Tokens, Error> {
    issue::can_sign(request).await?;
    request.notes.before(request.host).await?;
    decided_and_settled(request, Decision::Stored(approve)).await?.sign(request).await
}

/// How a grant that has no more to fetch decides.
#[derive(Clone, Copy)]
enum Decision {
    Stateless(fn(&Request<'_>) -> Result<Approval, Denied>),
    Stored(Decide),
}

/// Decides and commits. Where hooks are asked, what they are asked about is decided and taken back before, so that what they
/// refuse has spent nothing (`docs/adr/0040-hooks-are-called-outside-transactions.md`).
async fn decided_and_settled(request: &Request<'_>, decision: Decision) -> Result<Unsigned, Error> {
    let Some(hooks) = pre_token::hooks(request).await? else {
        let (tx, issued) = decided_in_transaction(request, decision).await?;
        return settle(request, tx, issued).await;
    };
    let input = match decided_in_transaction(request, decision).await? {
        (tx, Ok(unsigned)) => {
            tx.rollback().await?;
            unsigned.input(request)?
        }
        (tx, refused) => return settle(request, tx, refused).await,
    };
    let added = pre_token::added(request, &hooks, &input).await?;
    let (tx, issued) = decided_in_transaction(request, decision).await?;
    let issued = match issued {
        // What hooks have allowed is this, and nothing else.
        Ok(unsigned) if unsigned.input(request)? != input => Err(Denied::from(
            Error::temporarily_unavailable(
                "something changed while a hook was asked; send the request again",
            )
            .retry_after(1),
        )),
        issued => issued,
    };
    Ok(settle(request, tx, issued).await?.with(added))
}

async fn decided_in_transaction(
    request: &Request<'_>,
    decision: Decision,
) -> Result<(Tx<Tenant>, Result<Unsigned, Denied>), Error> {
    let mut tx = request.host.begin().await?;
    let approved = match (request.notes.write(request.host, &mut tx).await, decision) {
        (Ok(()), Decision::Stored(approve)) => approve(request, &mut tx).await,
        (Ok(()), Decision::Stateless(approve)) => approve(request),
        (Err(used), _) => Err(used.into()),
    };
    let issued = match approved {
        Ok(approval) => issue::with_records(request, &mut tx, approval).await.map_err(Denied::from),
        Err(denied) => Err(denied),
    };
    Ok((tx, issued))
}

/// Commits what succeeded, commits what refused with consequences; takes everything else back.
async fn settle(
    request: &Request<'_>,
    mut tx: Tx<Tenant>,
    issued: Result<Unsigned, Denied>,
) -> Result<Unsigned, Error> {
    let Request { host, app, params, notes, .. } = request;
    let grant_type = params.one("grant_type");
    match issued {
        Ok(unsigned) => {
            tx.commit().await?;
            notes.kept();
            Ok(unsigned)
        }
        Err(Denied { error, leaves: Leaves::Change }) => {
            refusals::of_token_request(host, &mut tx, app, (&error, grant_type));
            tx.commit().await?;
            notes.kept();
            Err(error)
        }
        Err(Denied { error, leaves }) => {
            tx.rollback().await?;
            if leaves == Leaves::EndedFamily
                && let Some(token) = params.one("refresh_token")
            {
                // Only now: what a transaction reads may still be lost with the group that it commits in.
                let ended = &host.app.services.ended_families;
                ended.note(host.tenant.id, svc_keys::digest(token), host.cx.now);
            }
            if leaves != Leaves::Nothing {
                refusals::without_effect(host, app, (&error, grant_type)).await?;
            }
            Err(error)
        }
    }
}
