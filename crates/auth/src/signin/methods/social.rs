//! Sign-in with an account at another provider (OpenID Connect Core §3.1, RFC 6749 §4.1): one of those at which the operator or
//! the tenant has registered.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::events::LoginFailed;
use svc_core::{Error, OrInternal as _, Result};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::accounts::{self, Account};
use svc_domain::people::credentials::identities;
use svc_http::{HostCx, StatusCode};

use super::method::{
    Beginning, Begun, Effect, Judging, ListedFor, Method, Needs, Proof, Shown, Turn, Verdict,
};
use crate::hosted::Visit;
use crate::pages::MessageKey;
use crate::signin::progress::Factor;
use crate::signin::provider::{self, Asks, Away};
use crate::signin::social::{self, Provider, UserClaims};

const ID: &str = "social";

/// An account at another provider.
pub const METHOD: Method = Method {
    id: ID,
    factor: Factor::Federated,
    amr: &["social"],
    is_offered: |host| !social::offered(host).is_empty(),
    is_first: true,
    recovers: true,
    needs: Needs::Nothing,
    begin: Some(|turn| -> Beginning<'_> { Box::pin(begin(turn)) }),
    finish: |turn| -> Judging<'_> { Box::pin(finish(turn)) },
    partial: "_social.html",
    lists: Some(listed),
};

/// What the next step needs to know.
#[derive(Serialize, Deserialize)]
struct Memory {
    away: Away,
    /// The account to which the identity is added, if that is what the person came for.
    #[serde(default)]
    links: Option<String>,
}

/// How a sign-in is shown with a provider whose word counts in the tenant alone.
const HERE_ALONE: Shown = Shown { factor: Factor::Federated, amr: &["connector"] };

/// The providers, as the page lists them.
fn listed(host: &HostCx, aim: ListedFor) -> Option<Value> {
    let helps = |provider: &Provider| aim == ListedFor::SignIn || !provider.counts_here_alone;
    let providers = social::offered(host).into_iter().filter(helps);
    let shown = providers.map(|provider| json!({ "id": provider.id, "name": provider.name }));
    let shown: Vec<Value> = shown.collect();
    (!shown.is_empty()).then(|| json!({ "providers": shown }))
}

async fn begin(turn: Turn<'_>) -> Result<Begun> {
    let Turn { visit, params, memory, max_age, .. } = turn;
    let links = memory.get("links").and_then(Value::as_str).map(str::to_owned);
    let provider = social::find(&visit.host, params.required("provider")?);
    let provider = provider.ok_or_else(|| Error::not_found("no such provider is offered here"))?;
    let left = match provider.client(&visit.host).await {
        Ok(client) => {
            let asks = Asks { max_age, ..Asks::default() };
            provider::leave(visit, &client, (&provider.id, asks)).await
        }
        Err(error) => Err(error),
    };
    match left {
        Ok((url, away)) => Ok(Begun::Leave {
            url,
            state_parameter: "state",
            return_path: provider.return_path(),
            may_be_relayed: true,
            wants_short_state: provider.wants_short_state,
            memory: serde_json::to_value(Memory { away, links }).or_internal()?,
        }),
        Err(error) => {
            failed(visit, &provider, &error).await?;
            Ok(Begun::Refused(StatusCode::OK, provider::message(&error, MessageKey::SocialFailed)))
        }
    }
}

async fn finish(turn: Turn<'_>) -> Result<Verdict> {
    let visit = turn.visit;
    let memory = serde_json::from_value::<Memory>(turn.memory.clone()).ok();
    let provider = memory.as_ref().and_then(|memory| social::find(&visit.host, &memory.away.through));
    let (Some(Memory { away, links }), Some(provider)) = (memory, provider) else {
        return Ok(Verdict::Refused(StatusCode::OK, MessageKey::SocialFailed));
    };
    match user_claims(turn, (&provider, &away)).await {
        Ok(claims) => match links {
            Some(account) => Ok(Verdict::Links(account, Box::new(claims.identity))),
            None => known(visit, claims, provider.counts_here_alone.then_some(HERE_ALONE)).await,
        },
        Err(error) => {
            failed(visit, &provider, &error).await?;
            Ok(Verdict::Refused(StatusCode::OK, provider::message(&error, MessageKey::SocialFailed)))
        }
    }
}

async fn user_claims(turn: Turn<'_>, (provider, away): (&Provider, &Away)) -> Result<UserClaims> {
    let Turn { visit, params, .. } = turn;
    let client = provider.client(&visit.host).await?;
    let proven = provider::redeem(visit, &client, away, params).await?;
    social::read(&visit.host, provider, (proven, params)).await
}

/// The account that the identity opens, if there is one; `shown` is what that shows, if not what the method does.
pub async fn known(visit: &Visit, claims: UserClaims, shown: Option<Shown>) -> Result<Verdict> {
    let mut tx = visit.host.read().await?;
    let Some(credential) = identities::find(&mut tx, &claims.identity).await? else {
        return Ok(Verdict::Stranger(Box::new(claims)));
    };
    let account: Option<Account> = accounts::find(&mut tx, credential.account).await?;
    let Some(account) = account else {
        return Ok(Verdict::Refused(StatusCode::OK, MessageKey::SocialFailed));
    };
    let effect = Effect::UsesIdentity(Box::new(credential));
    let seen_at = claims.seen_at;
    // Another provider's identity is a credential of the account like any other.
    let connector = claims.identity.connector().filter(|_| shown.is_some());
    Ok(Verdict::Proven(Box::new(Proof { effect, shown, connector, seen_at, ..Proof::of(account) })))
}

/// Records that a sign-in at a provider failed: administrators read why, the person does not.
async fn failed(visit: &Visit, provider: &Provider, error: &Error) -> Result<()> {
    let cx = visit.cx();
    tracing::info!(
        request_id = cx.request_id,
        provider = provider.id,
        ?error,
        "sign-in with another provider failed"
    );
    let reason = "provider";
    let labels = [("factor", Factor::Federated.label()), ("outcome", reason)];
    visit.host.app.metrics.count_one("sign_ins_total", &labels);
    let event = LoginFailed { tenant_user_id: None, method: ID, reason };
    let facts = json!({ "method": ID, "provider": provider.id, "reason": error.detail() });
    let mut tx = visit.host.begin().await?;
    record(&mut tx, cx, Meaning::denied(Action::SessionCreated, "").with(facts).telling(event));
    tx.commit().await
}
