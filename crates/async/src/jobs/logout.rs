//! Tells applications that a session has ended (OpenID Connect Back-Channel Logout §2.5), until they have taken it.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use svc_core::{OrInternal as _, Result, Seconds};
use svc_domain::apps;
use svc_domain::delivery::logouts::{self, DueLogout};
use svc_domain::delivery::retries::Outcome;
use svc_domain::keys::signing_keys::default_algorithm;
use svc_domain::tenancy::tenants::Tenant;
use svc_http::{App, Fetched, HeaderMap, HeaderValue, Limits, header};
use svc_keys::{Signer as _, Typ};

use super::sending::{Queue, work_off};
use super::{Job, Progress, Reach, Workers, cx};

pub(super) const JOB: Job = Job {
    name: "logout",
    every: Duration::from_secs(1),
    reach: Reach::AsyncPlane,
    is_critical: true,
    run: |app, workers| Box::pin(run(app, workers)),
};

/// How long a token counts; each attempt brings a fresh one.
const LIFETIME: Seconds = Seconds(120);
/// What an attempt may cost. Nothing of the answer's body matters.
const LIMITS: Limits = Limits { time: Seconds(10), bytes: 16 * 1024 };

async fn run(app: &App, _: &Workers) -> Result<Progress> {
    work_off(&Logouts(app)).await
}

struct Logouts<'a>(&'a App);

impl Queue for Logouts<'_> {
    type Item = DueLogout;
    type Outcome = Outcome;
    const AT_ONCE: usize = 64;

    async fn take(&self, most: usize) -> Result<Vec<DueLogout>> {
        let most = u32::try_from(most).or_internal()?;
        let mut tx = self.0.db.begin_system().await?;
        let due = logouts::take_due(&mut tx, self.0.clock.now(), most).await?;
        tx.commit().await?;
        Ok(due)
    }

    fn send(&self, logout: DueLogout) -> impl Future<Output = (DueLogout, Outcome)> + Send + 'static {
        let app = self.0.clone();
        async move {
            let outcome = tell(&app, &logout).await.unwrap_or_else(|error| {
                tracing::warn!(logout = %logout.id, error = ?error, "a logout token could not be made");
                Outcome::Busy(None)
            });
            (logout, outcome)
        }
    }

    async fn note(&self, logout: DueLogout, outcome: Outcome) -> Result<()> {
        let mut tx = self.0.db.begin_system().await?;
        logouts::settle(&mut tx, &cx(self.0, JOB.name), &logout, outcome).await?;
        tx.commit().await?;
        metrics::counter!("logout_attempts_total", "outcome" => outcome.label()).increment(1);
        Ok(())
    }
}

/// One attempt. Whatever has changed since the session ended counts: a tenant, an application or an address that is gone
/// is told nothing.
async fn tell(app: &App, logout: &DueLogout) -> Result<Outcome> {
    let Some(tenant) = app.services.tenants.find(logout.tenant).await? else { return Ok(Outcome::Over) };
    let receiver = app.services.apps.find(logout.tenant, &logout.app.to_string()).await?;
    let Some(receiver) = receiver.filter(|receiver| receiver.enabled) else { return Ok(Outcome::Over) };
    let Some(uri) = &receiver.configuration.backchannel_logout_uri else { return Ok(Outcome::Over) };
    if let Err(error) = app.outbound.check(uri) {
        tracing::warn!(logout = %logout.id, app = %logout.app, error = ?error, "a logout address is out of reach");
        return Ok(Outcome::Over);
    }
    let form = format!("logout_token={}", token(app, &tenant, &receiver, logout)?);
    let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, kind)]);
    Ok(match app.outbound.post(uri, headers, form.into(), LIMITS).await {
        Ok(answer) => read(app, logout, &answer),
        Err(error) => {
            tracing::warn!(logout = %logout.id, app = %logout.app, error = ?error, "no answer to a logout token");
            Outcome::Silent
        }
    })
}

/// What a receiver means (§2.8): any success has taken it, a fault of its own may pass, everything else stays so.
fn read(app: &App, logout: &DueLogout, answer: &Fetched) -> Outcome {
    let status = answer.status;
    if status.is_success() {
        return Outcome::Taken;
    }
    tracing::warn!(logout = %logout.id, app = %logout.app, %status, "a logout token was not taken");
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

fn token(app: &App, tenant: &Tenant, receiver: &apps::App, logout: &DueLogout) -> Result<String> {
    let now = app.clock.now();
    let claims = Claims {
        iss: &tenant.issuer,
        sub: &logout.subject,
        aud: receiver.client_id(),
        iat: now.as_secs(),
        exp: (now + LIFETIME).as_secs(),
        jti: logout.id.to_string(),
        sid: &logout.sid,
        events: json!({ "http://schemas.openid.net/event/backchannel-logout": {} }),
    };
    let algorithm = receiver.configuration.id_token_algorithm(default_algorithm(&app.config.jwt));
    let payload = serde_json::to_vec(&claims).or_internal()?;
    app.services.keys.ring().sign(algorithm, Typ::LogoutToken, &payload)
}
