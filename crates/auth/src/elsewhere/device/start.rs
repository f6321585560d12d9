//! The device authorization endpoint (RFC 8628 §3.1).

use serde::Serialize;
use serde_json::{Value, json};
use svc_core::capability::Capability;
use svc_core::{Class, Error, Result, Seconds};
use svc_domain::apps::App;
use svc_domain::grants::device_codes;
use svc_domain::grants::polled::{Pace, Wanted};
use svc_http::{Form, FormOf, HeaderMap, HostCx, NoStore, OauthError, Route, Routes};
use utoipa::ToSchema;

use super::verify::must_be_enabled;
use crate::authorize::{Endpoint, Reads};
use crate::clients;
use crate::elsewhere::wanted::wanted;
use crate::hosted::paths::DEVICE;
use crate::hosted::with_query;
use crate::token::grants::device_code::NAME;

/// Where device codes are asked for.
pub const PATH: &str = "/oauth/device/code";
/// Requests of public applications from one address: they prove nothing, and each leaves a row.
const MOST_UNPROVEN: i64 = 100;
const WINDOW: Seconds = Seconds(300);
/// Codes tried before giving up; with 20^8 of them a second try is already rare.
const ATTEMPTS: usize = 5;

/// The device authorization response (RFC 8628 §3.2).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DeviceAuthorization)]
struct Started {
    /// What the device polls with.
    #[schema(example = "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS")]
    device_code: String,
    /// What the person enters.
    #[schema(example = "WDJB-MJHT")]
    user_code: String,
    /// Where the person enters it.
    #[schema(example = "https://id.example.com/oauth/device/verify")]
    verification_uri: String,
    /// The same with the code filled in, for a QR code.
    #[schema(example = "https://id.example.com/oauth/device/verify?user_code=WDJB-MJHT")]
    verification_uri_complete: String,
    /// Seconds until both codes end.
    expires_in: i64,
    /// Seconds to wait between polls.
    interval: i64,
}

/// The endpoint.
pub fn routes() -> Routes {
    let start = Route::post(PATH).client(start).summary("Begin a device authorization");
    let start = start.describe(
        "The device polls the token endpoint with the `device_code` while a person enters the `user_code` (RFC 8628 §3.1).",
    );
    Routes::new([start.forms(|| vec![form()]).returns::<Started>(200)])
}

fn form() -> FormOf {
    let reads = Reads {
        needed: &[],
        usual: &["client_id", "scope"],
        taken: &[&["resource", "audience", "authorization_details", "claims", "organization"]],
    };
    reads.client_form("DeviceAuthorizationRequest", "What the device asks for.")
}

/// Adds what discovery says of it, where it is enabled.
pub fn publish(host: &HostCx, document: &mut Value) {
    if let (Value::Object(members), true) = (document, host.app.config.device_authorization.enabled) {
        members.insert("device_authorization_endpoint".to_owned(), json!(format!("{}{PATH}", host.origin())));
    }
}

async fn start(host: HostCx, headers: HeaderMap, Form(params): Form) -> Result<NoStore<Started>, OauthError> {
    must_be_enabled(&host)?;
    let app = clients::authenticate_for(&host, &headers, &params, &Capability::DEVICE).await?;
    let host = host.performed_by_app(&app);
    if !app.allows_grant(NAME) {
        return Err(Error::unauthorized_client("the application may not use the device code grant").into());
    }
    if app.configuration.require_signed_request_object {
        return Err(
            Error::unauthorized_client("this application signs its requests, which a device cannot").into()
        );
    }
    throttle(&host, &app).await?;
    let wanted = wanted(&host, &app, &params, Endpoint::Device).await?;
    let config = &host.app.config.device_authorization;
    let pace = Pace { lifetime: config.lifetime_secs, interval: config.interval_secs };
    let (device_code, user_code) = stored(&host, &app, &wanted, pace).await?;
    let user_code = device_codes::shown(&user_code);
    let verification_uri = format!("{}{DEVICE}", host.origin());
    Ok(NoStore(Started {
        device_code,
        verification_uri_complete: with_query(&verification_uri, [("user_code", user_code.as_str())]),
        user_code,
        verification_uri,
        expires_in: pace.lifetime.0,
        interval: pace.interval.0,
    }))
}

/// Stores a request under a user code that no other request has at this moment.
async fn stored(host: &HostCx, app: &App, wanted: &Wanted, pace: Pace) -> Result<(String, String)> {
    for _ in 0..ATTEMPTS {
        let device_code = svc_keys::token(&*host.cx.entropy);
        let mut tx = host.begin().await?;
        let digest = svc_keys::digest(&device_code);
        let user_code = device_codes::create(&mut tx, &host.cx, digest, (app.id, wanted), pace)?;
        match tx.commit().await {
            Err(error) if error.class() == Class::Conflict => {}
            done => return done.map(|()| (device_code, user_code)),
        }
    }
    Err(Error::unavailable("no free user code was found"))
}

async fn throttle(host: &HostCx, app: &App) -> Result<()> {
    if !app.is_public() {
        return Ok(());
    }
    let key = format!("device code {}", host.arrival.throttle_key());
    let count = host.app.coordination.incr(&key, WINDOW, host.cx.now).await;
    let Some(wait) = count.wait_beyond(MOST_UNPROVEN, host.cx.now) else { return Ok(()) };
    Err(Error::rate_limited("too many device codes for this address; wait before the next").retry_in(wait))
}
