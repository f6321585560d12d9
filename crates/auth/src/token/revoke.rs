//! Token revocation (RFC 7009): an application gives back what was issued to it; nothing is said about other tokens.

use std::sync::Arc;

use serde::Serialize;
use svc_core::events::TokenRevoked;
use svc_core::{AppId, Error, FamilyId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::apps::App;
use svc_domain::grants::delegations;
use svc_domain::grants::refresh::{self, Found, State};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::tokens::access_token;
use svc_domain::tokens::revocations::{self, Revoked};
use svc_http::{Form, FormOf, HeaderMap, HostCx, IntoResponse, NoStore, OauthError, Response, Route, Routes};
use utoipa::ToSchema;

use crate::authorize::Reads;
use crate::clients;
use crate::register::origins;

/// The route of this endpoint.
pub fn routes() -> Routes {
    Routes::new([Route::post("/oauth/revoke")
        .client(revoke)
        .cors(origins::registered())
        .summary("Revoke a refresh or access token")
        .describe("A refresh token ends its whole family. A token that is unknown or of another application is no error (RFC 7009 §2.2).")
        .forms(|| vec![form()])
        .returns::<Revocation>(200)])
}

fn form() -> FormOf {
    let reads = Reads { needed: &["token"], usual: &[], taken: &[&["token_type_hint"]] };
    reads.client_form("RevocationRequest", "The token that ends.")
}

/// Says nothing about the token.
#[derive(Serialize, ToSchema)]
struct Revocation {}

async fn revoke(host: HostCx, headers: HeaderMap, Form(params): Form) -> Result<Response, OauthError> {
    let app = clients::authenticate(&host, &headers, &params).await?;
    let host = host.performed_by_app(&app);
    let token = params.required("token")?;
    let mut tx = host.begin().await?;
    let revoked = revoke_refresh_token(&host, &mut tx, &app, token).await?
        || revoke_access_token(&host, &mut tx, &app, token).await?;
    if revoked {
        tx.commit().await?;
    }
    Ok(NoStore(Revocation {}).into_response())
}

/// A refresh token takes its whole family along, access tokens included.
async fn revoke_refresh_token(
    host: &HostCx,
    tx: &mut Tx<Tenant>,
    app: &Arc<App>,
    token: &str,
) -> Result<bool, Error> {
    let found = refresh::find(tx, svc_keys::digest(token), host.cx.now).await?;
    // A family that has ended is not ended again: a client that lost the answer leaves no second record and event.
    let found = found.filter(|found| found.family.app == app.id && found.state != State::Ended);
    let Some(Found { family, .. }) = found else { return Ok(false) };
    refresh::revoke_family(tx, &host.cx, family.id).await?;
    report(host, tx, app.id, family.id.to_string());
    Ok(true)
}

async fn revoke_access_token(
    host: &HostCx,
    tx: &mut Tx<Tenant>,
    app: &Arc<App>,
    token: &str,
) -> Result<bool, Error> {
    let ring = host.app.services.keys.ring(host.tenant.id);
    let Ok(claims) = access_token::verify_for_any_api(&ring, token, &host.tenant.issuer, host.cx.now) else {
        return Ok(false);
    };
    if claims.client_id != app.client_id() {
        return Ok(false);
    }
    let (mark, issued_at) = (Revoked::Jti(claims.jti.clone()), Timestamp::from_secs(claims.iat));
    let family: Option<FamilyId> = claims.family().and_then(|family| family.parse().ok());
    let marks = [mark.clone(), family.map_or_else(|| mark.clone(), Revoked::Family)];
    if host.app.services.revocations.has_ended(host.tenant.id.reference(), issued_at, marks) {
        return Ok(false);
    }
    revocations::revoke(tx, &host.cx, &mark);
    if let Some(family) = family {
        hold(tx, family, host.cx.now).await?;
    }
    delegations::of_token(tx, &host.cx, &claims.jti).await?;
    report(host, tx, app.id, claims.jti);
    Ok(true)
}

/// Holds what an exchange of the token holds too, the refresh family or else the link: an exchange that came first is seen by what
/// follows, a later one sees the mark. Never both, as what ends a family takes them in another order than an exchange does.
async fn hold(tx: &mut Tx<Tenant>, family: FamilyId, now: Timestamp) -> Result<(), Error> {
    let [held] = tx.batch([refresh::hold(tx, family)]).await?;
    if held.is_empty() {
        tx.batch([delegations::hold(tx, family, now)]).await?;
    }
    Ok(())
}

/// Records that a token is revoked, by its id or that of its family.
pub fn report(host: &HostCx, tx: &mut Tx<Tenant>, client_id: AppId, token: String) {
    let meaning = Meaning::done(Action::TokenRevoked, &token);
    record(tx, &host.cx, meaning.telling(TokenRevoked { client_id, token }));
}
