//! Tells applications that a session has ended (OpenID Connect Back-Channel Logout §2.5), until they have taken it.

use serde::Serialize;
use serde_json::{Value, json};
use svc_core::{DeliveryId, OrInternal as _, Result, Seconds};
use svc_domain::apps;
use svc_domain::delivery::logouts::Logout;
use svc_domain::delivery::{Delivery, Outcome};
use svc_domain::tenancy::tenants::Tenant;
use svc_http::{App, Fetched, HeaderMap, HeaderValue, Limits, header};
use svc_keys::{Signer as _, Typ};

use super::{Attempt, Carrier, Ended};

/// How long a token counts; each attempt brings a fresh one.
const LIFETIME: Seconds = Seconds(120);
/// What an attempt may cost. Nothing of the answer's body matters.
const LIMITS: Limits = Limits { time: Seconds(10), bytes: 16 * 1024 };

impl Attempt for Logout {
    type Report = ();

    /// Whatever has changed since the session ended counts: a tenant, an application or an address that is gone gets no
    /// token.
    async fn attempt(Carrier { app, .. }: &Carrier, due: &Delivery<Self>) -> Result<Option<Ended<()>>> {
        let logout = &due.payload()?;
        let Some(tenant) = app.services.tenants.find(due.tenant).await? else {
            return Ok(Some(Outcome::Over.into()));
        };
        let receiver = app.services.apps.find(due.tenant, &logout.app.to_string()).await?;
        let receiver = receiver.filter(|receiver| receiver.enabled);
        let Some(receiver) = receiver else { return Ok(Some(Outcome::Over.into())) };
        let Some(uri) = &receiver.configuration.backchannel_logout_uri else {
            return Ok(Some(Outcome::Over.into()));
        };
        let token = token(app, &tenant, &receiver, (due.id, logout)).await?;
        Ok(Some(post(app, (due.id, logout), uri, &token).await.into()))
    }
}

async fn post(app: &App, (id, logout): (DeliveryId, &Logout), uri: &str, token: &str) -> Outcome {
    if let Err(error) = app.outbound.check(uri) {
        tracing::warn!(logout = %id, app = %logout.app, error = ?error, "a logout address is out of reach");
        return Outcome::Over;
    }
    let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, kind)]);
    match app.outbound.post(uri, headers, format!("logout_token={token}").into(), LIMITS).await {
        Ok(answer) => read(app, (id, logout), &answer),
        Err(error) => {
            tracing::warn!(logout = %id, app = %logout.app, error = ?error, "no answer to a logout token");
            Outcome::Silent
        }
    }
}

/// What a receiver means (§2.8): any success has taken it, a fault of its own may pass, everything else stays so.
fn read(app: &App, (id, logout): (DeliveryId, &Logout), answer: &Fetched) -> Outcome {
    let status = answer.status;
    if status.is_success() {
        return Outcome::Taken;
    }
    tracing::warn!(logout = %id, app = %logout.app, %status, "a logout token was not taken");
    if status.is_server_error() || matches!(status.as_u16(), 408 | 429) {
        Outcome::Busy(answer.retry_after(app.clock.now()))
    } else {
        Outcome::Over
    }
}

/// The claims of a logout token (§2.4).
#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    sub: &'a str,
    aud: String,
    iat: i64,
    exp: i64,
    jti: String,
    sid: &'a str,
    events: Value,
}

async fn token(
    app: &App,
    tenant: &Tenant,
    receiver: &apps::App,
    (id, logout): (DeliveryId, &Logout),
) -> Result<String> {
    let now = app.clock.now();
    let claims = Claims {
        iss: &tenant.issuer,
        sub: &logout.subject,
        aud: receiver.client_id(),
        iat: now.as_secs(),
        exp: (now + LIFETIME).as_secs(),
        jti: id.to_string(),
        sid: &logout.sid,
        events: json!({ "http://schemas.openid.net/event/backchannel-logout": {} }),
    };
    let algorithm = receiver.configuration.id_token_algorithm();
    let payload = serde_json::to_vec(&claims).or_internal()?;
    app.services.keys.ring(tenant.id).sign(algorithm, Typ::LogoutToken, &payload).await
}
