//! Pushed authorization requests (RFC 9126): an authenticated application says what it wants before the browser comes.

use std::sync::Arc;

use serde::Serialize;
use svc_core::capability::Capability;
use svc_core::{Class, Error, Result, Seconds};
use svc_domain::apps::App;
use svc_domain::grants::par::{self, Pushed};
use svc_http::dpop::{self, Proof};
use svc_http::{
    Form, FormOf, HeaderMap, HostCx, IntoResponse, Method, NoStore, OauthError, Params, Response, Route,
    Routes, StatusCode,
};
use utoipa::ToSchema;

use super::arrived::{Arrived, Endpoint, PARAMETERS};
use super::parameters::Reads;
use super::pushed::PREFIX;
use super::reply::Redirectable;
use super::request_object::unfolded;
use super::wrong_address::WrongAddress;
use crate::clients::{self, Notes};
use crate::register::origins;

/// Where requests are pushed.
pub const PATH: &str = "/oauth/par";
const MINUTE: Seconds = Seconds(60);
/// Requests of one public application in a minute, from one address and altogether.
const MOST_OF_ADDRESS: i64 = 120;
const MOST_OF_APP: i64 = 6_000;

/// The route of this endpoint.
pub fn routes() -> Routes {
    Routes::new([Route::post(PATH)
        .client(push)
        .cors(origins::registered())
        .summary("Push an authorization request")
        .describe("The parameters of an authorization request, before the browser is sent with their reference (RFC 9126).")
        .forms(|| vec![form()])
        .returns::<PushedRequest>(201)])
}

fn form() -> FormOf {
    let reads = Reads {
        needed: &[],
        usual: &[
            "client_id",
            "response_type",
            "redirect_uri",
            "scope",
            "code_challenge",
            "code_challenge_method",
        ],
        taken: &[PARAMETERS, &["request"]],
    };
    reads.client_form("PushedAuthorizationRequest", "What the application will ask for.")
}

/// The reference of a pushed request (RFC 9126 §2.2).
#[derive(Serialize, ToSchema)]
struct PushedRequest {
    /// Send it to the authorization endpoint, with `client_id`.
    #[schema(example = "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c")]
    request_uri: String,
    /// Seconds until it ends.
    #[schema(example = 90)]
    expires_in: i64,
}

async fn push(host: HostCx, headers: HeaderMap, Form(params): Form) -> Result<Response, OauthError> {
    let proof = dpop::proof(&host, &headers, &Method::POST, &format!("{}{PATH}", host.origin()));
    let client = clients::authenticate_with(&host, &headers, &params, proof).await?;
    let host = host.performed_by_app(&client.app);
    let outcome = pushed(&host, &params, (&client.app, client.proof, &client.notes)).await;
    let answer = client.notes.settle(&host, outcome).await?;
    Ok((StatusCode::CREATED, NoStore(answer)).into_response())
}

async fn pushed(
    host: &HostCx,
    params: &Params,
    (app, proof, notes): (&Arc<App>, Result<Option<Proof>>, &Notes),
) -> Result<PushedRequest> {
    clients::must_keep(app, &Capability::PAR)?;
    throttle(host, app).await?;
    if params.one("request_uri").is_some() {
        return Err(Error::invalid_request(
            "request_uri: this cannot be pushed; send the parameters themselves",
        ));
    }
    let params = unfolded(host, app, params).await?;
    let dpop_jkt = proven_key((host, app), &params, proof?)?;
    let arrived = Arrived { params, endpoint: Endpoint::Par, reference: None, dpop_jkt };
    let dpop_jkt = checked(host, app, &arrived).await?;
    let reference = svc_keys::token(&*host.cx.entropy);
    let lifetime = host.app.config.oidc.par_lifetime_secs;
    let new = Pushed { app: app.id, parameters: kept(&arrived.params), dpop_jkt };
    notes.before(host).await?;
    let mut tx = host.begin().await?;
    par::create(&mut tx, &host.cx, svc_keys::digest(&reference), &new, lifetime)?;
    if let Err(error) = notes.write(host, &mut tx).await {
        tx.rollback().await?;
        return Err(error);
    }
    tx.commit().await?;
    notes.kept();
    Ok(PushedRequest { request_uri: format!("{PREFIX}{reference}"), expires_in: lifetime.0 })
}

/// Bounds the rows of a public application, for each address and altogether: any client can send its id.
async fn throttle(host: &HostCx, app: &App) -> Result<()> {
    if !app.is_public() {
        return Ok(());
    }
    let of_app = format!("par {} {}", host.tenant.id, app.id);
    let of_address = format!("{of_app} {}", host.arrival.throttle_key());
    for (key, most) in [(of_address, MOST_OF_ADDRESS), (of_app, MOST_OF_APP)] {
        let count = host.app.coordination.incr(&key, MINUTE, host.cx.now).await;
        if let Some(wait) = count.wait_beyond(most, host.cx.now) {
            let error =
                Error::rate_limited("too many pushed requests of this application; wait before the next");
            return Err(error.retry_in(wait));
        }
    }
    Ok(())
}

/// The key of the request's DPoP proof, to which the code will be bound as if `dpop_jkt` named it (RFC 9449 §10.1).
fn proven_key((host, app): (&HostCx, &App), params: &Params, proof: Option<Proof>) -> Result<Option<String>> {
    let named = params.one("dpop_jkt");
    match clients::offered_proof(host, app, proof)? {
        Some(proof) if named.is_some_and(|named| named != proof.jkt) => Err(Error::invalid_dpop_proof(
            "dpop_jkt: this names another key than that of the DPoP proof; leave it out",
        )),
        proof => Ok(proof.map(|proof| proof.jkt)),
    }
}

/// Runs the matrix; what is wrong is said here, and once more when the browser comes, as things may have changed.
async fn checked(host: &HostCx, app: &App, arrived: &Arrived) -> Result<Option<String>> {
    // RFC 9126 §2.3 knows the errors of the authorization endpoint and `invalid_request` for the rest.
    let reply_to = Redirectable::prove(app, &arrived.params);
    let reply_to = reply_to.map_err(|error| refused(host, app, &arrived.params, error))?;
    let request = super::checked::checked(host, app, arrived, reply_to).await??;
    Ok(request.dpop_jkt)
}

/// Names an address that is not registered, with those that are.
fn refused(host: &HostCx, app: &App, params: &Params, error: Error) -> Error {
    let error = if error.class() == Class::InvalidRedirectUri {
        let sent = params.one("redirect_uri").unwrap_or_default();
        let expected = &app.configuration.redirect_uris;
        WrongAddress { parameter: "redirect_uri", sent, expected }.explain(host, error)
    } else {
        error
    };
    error.reclass(Class::InvalidRequest)
}

/// What an authorization request reads; the rest would only fill the disk.
fn kept(params: &Params) -> Vec<(String, String)> {
    let is_kept = |(name, _): &(&str, &str)| PARAMETERS.contains(name);
    params.iter().filter(is_kept).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
