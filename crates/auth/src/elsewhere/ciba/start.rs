//! The backchannel authentication endpoint (OpenID CIBA §7.1), poll mode.

use serde::Serialize;
use serde_json::{Value, json};
use svc_core::capability::Capability;
use svc_core::{Digest, Error, Result, Seconds};
use svc_domain::apps::App;
use svc_domain::grants::ciba_requests::{self, New};
use svc_domain::grants::polled::Pace;
use svc_http::{
    BackchannelError, Form, FormOf, HeaderMap, HostCx, NoStore, OauthError, Params, Route, Routes,
};
use utoipa::ToSchema;

use super::{object, params};
use crate::authorize::{Endpoint, Reads};
use crate::clients;
use crate::elsewhere::wanted::wanted;
use crate::token::grants::ciba::NAME;

/// Where requests begin.
pub const PATH: &str = "/bc-authorize";
/// Requests of one application for one hint, so that a person is not worn down by them.
const MOST: i64 = 30;
const WINDOW: Seconds = Seconds(60);

/// The authentication request acknowledgement (OpenID CIBA §7.3).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BackchannelAuthentication)]
struct Started {
    /// What the application polls with.
    #[schema(example = "1c266114-a1be-4252-8ad1-04986c5b9ac1")]
    auth_req_id: String,
    /// Seconds until it ends.
    expires_in: i64,
    /// Seconds to wait between polls.
    interval: i64,
}

/// The endpoint.
pub fn routes() -> Routes {
    let start = Route::post(PATH).client(start).summary("Begin a backchannel authentication");
    let start = start.describe(
        "The application polls the token endpoint with the `auth_req_id` while the person decides (OpenID CIBA §7.1).",
    );
    Routes::new([start.forms(|| vec![form()]).returns::<Started>(200)])
}

fn form() -> FormOf {
    let reads = Reads {
        needed: &[],
        usual: &["login_hint", "scope", "binding_message"],
        taken: &[&[
            "requested_expiry",
            "resource",
            "audience",
            "authorization_details",
            "claims",
            "organization",
            "request",
        ]],
    };
    reads.client_form("BackchannelAuthenticationRequest", "Whom the application asks for, and for what.")
}

/// Adds what discovery says of it (OpenID CIBA §4).
pub fn publish(host: &HostCx, document: &mut Value) {
    let Value::Object(members) = document else { return };
    let own = [
        ("backchannel_authentication_endpoint", json!(format!("{}{PATH}", host.origin()))),
        ("backchannel_token_delivery_modes_supported", json!(["poll"])),
        ("backchannel_user_code_parameter_supported", json!(false)),
    ];
    members.extend(own.map(|(name, value)| (name.to_owned(), value)));
    if host.offers(&Capability::JAR) {
        let name = "backchannel_authentication_request_signing_alg_values_supported";
        members.insert(name.to_owned(), json!(svc_keys::Algorithm::NAMES_TAKEN));
    }
}

async fn start(
    host: HostCx,
    headers: HeaderMap,
    form: Result<Form, OauthError>,
) -> Result<NoStore<Started>, BackchannelError> {
    let Form(params) = form.map_err(|OauthError(error)| error)?;
    let app = clients::authenticate_for(&host, &headers, &params, &Capability::CIBA).await?;
    let host = host.performed_by_app(&app);
    if app.is_public() || !app.allows_grant(NAME) {
        return Err(
            Error::unauthorized_client("the application may not use backchannel authentication").into()
        );
    }
    Ok(begin(&host, &app, &params).await.map(NoStore)?)
}

/// Nothing here asks who the hint means: the work is the same for every person, and for a hint that means no person.
async fn begin(host: &HostCx, app: &App, params: &Params) -> Result<Started> {
    let params = object::unfolded(host, app, params).await?;
    params::refuse_unsupported(&params)?;
    let login_hint = params.required("login_hint")?;
    let binding_message = params.one("binding_message").map(params::binding_message).transpose()?;
    let oidc = &host.app.config.oidc;
    let lifetime = params.one("requested_expiry").map(params::requested_expiry).transpose()?;
    let pace =
        Pace { lifetime: lifetime.unwrap_or(oidc.ciba_lifetime_secs), interval: oidc.ciba_interval_secs };
    let wanted = wanted(host, app, &params, Endpoint::Backchannel).await?;
    // Everything that the application may ask for is no default here: the request says `openid` itself (§7.1).
    params.required("scope")?;
    if !wanted.scope.has("openid") {
        return Err(Error::invalid_scope("scope: include openid"));
    }
    throttle(host, app, ciba_requests::hint(login_hint)).await?;
    let auth_req_id = svc_keys::token(&*host.cx.entropy);
    let new = New { app: app.id, wanted: &wanted, login_hint, binding_message, pace };
    let mut tx = host.begin().await?;
    ciba_requests::create(&mut tx, &host.cx, svc_keys::digest(&auth_req_id), &new)?;
    tx.commit().await?;
    Ok(Started { auth_req_id, expires_in: pace.lifetime.0, interval: pace.interval.0 })
}

async fn throttle(host: &HostCx, app: &App, hint: Digest) -> Result<()> {
    let key = format!("ciba {} {} {}", host.tenant.id, app.id, svc_keys::base64url(hint.0));
    let count = host.app.coordination.incr(&key, WINDOW, host.cx.now).await;
    let Some(wait) = count.wait_beyond(MOST, host.cx.now) else { return Ok(()) };
    Err(Error::rate_limited("too many requests with this login_hint; wait before the next").retry_in(wait))
}
