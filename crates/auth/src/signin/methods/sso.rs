//! Sign-in through the provider of the person's organization (OpenID Connect Core §3.1): first the address, whose domain says
//! which one.

use serde_json::{Value, json};
use svc_core::capability::Capability;
use svc_core::{OrInternal as _, Result, SsoConnectionId};
use svc_domain::federation::sso::{self as records, Connection};
use svc_domain::organizations::Demand;
use svc_http::StatusCode;

use super::method::{Beginning, Begun, Judging, Method, Needs, Proof, Turn, Verdict};
use crate::hosted::Visit;
use crate::pages::MessageKey;
use crate::signin::progress::Factor;
use crate::signin::provider::{self, Asks, Away};
use crate::signin::sso::{self, Whom};

/// The provider of an organization.
pub const METHOD: Method = Method {
    id: "sso",
    factor: Factor::Federated,
    amr: &["fed"],
    is_offered: |host| host.offers(&Capability::ENTERPRISE_SSO),
    is_first: true,
    recovers: false,
    needs: Needs::Nothing,
    begin: Some(begin),
    finish,
    partial: "_sso.html",
    lists: None,
};

/// What the part of a connection shows; and that it is the only way, where that is so.
pub fn shown(connection: &Connection, is_alone: bool) -> Value {
    json!({ "name": connection.configuration.display_name, "is_alone": is_alone })
}

/// What the next step needs to know of it.
pub fn memory(connection: &Connection, typed: Option<&str>) -> Value {
    json!({ "through": connection.id, "typed": typed })
}

fn begin(turn: Turn<'_>) -> Beginning<'_> {
    Box::pin(begun(turn))
}

/// First the form that asks for the address, then the link to the provider, then the way there: the answer to a form could not
/// lead to another site (CSP, `form-action`).
async fn begun(turn: Turn<'_>) -> Result<Begun> {
    let Turn { visit, memory: kept, params, .. } = turn;
    if let Some(through) = connection_in(kept, "through") {
        let Some(connection) = find(visit, through).await? else { return Ok(unknown()) };
        let typed = kept.get("typed").and_then(Value::as_str);
        return leave(turn, &connection, typed).await;
    }
    let Some(typed) = params.one("username").map(str::trim).filter(|typed| !typed.is_empty()) else {
        return Ok(Begun::Ask { shown: json!({ "name": null }), memory: Value::Null });
    };
    let mut tx = visit.host.read().await?;
    let found = sso::of_address(&visit.host, &mut tx, typed).await?;
    if let Some(connection) = &found {
        visit.dress(Some(&connection.organization_id.to_string())).await?;
    }
    Ok(found.map_or_else(unknown, |connection| Begun::Ask {
        shown: shown(&connection, connection.configuration.enforced),
        memory: memory(&connection, Some(typed)),
    }))
}

async fn leave(turn: Turn<'_>, connection: &Connection, typed: Option<&str>) -> Result<Begun> {
    let Turn { visit, max_age, .. } = turn;
    let known = connection.configuration.second_factor_acr_values.as_slice();
    let acr_values = if wants_second_factor(turn, connection).await? { known } else { &[] };
    match sso::leave(visit, connection, Asks { typed, max_age, acr_values }).await {
        Ok((url, away)) => {
            let memory = serde_json::to_value(away).or_internal()?;
            let return_path = connection.return_path.clone();
            Ok(Begun::Leave {
                url,
                state_parameter: "state",
                return_path,
                may_be_relayed: false,
                wants_short_state: false,
                memory,
            })
        }
        Err(error) => {
            sso::failed(visit, connection, &error).await?;
            Ok(Begun::Refused(StatusCode::OK, provider::message(&error, MessageKey::SsoFailed)))
        }
    }
}

/// Whether the sign-in is to be one of two factors, by what it leads to or by the organization.
async fn wants_second_factor(turn: Turn<'_>, connection: &Connection) -> Result<bool> {
    if turn.wants_second_factor || connection.configuration.second_factor_acr_values.is_empty() {
        return Ok(turn.wants_second_factor);
    }
    let (host, organization) = (&turn.visit.host, connection.organization_id.to_string());
    let look = host.app.services.looks.named(host.tenant.id, &organization).await?;
    Ok(look.is_some_and(|look| look.sign_in.second_factor == Demand::Required))
}

fn finish(turn: Turn<'_>) -> Judging<'_> {
    Box::pin(finished(turn))
}

async fn finished(turn: Turn<'_>) -> Result<Verdict> {
    let Turn { visit, app, progress, memory, params, .. } = turn;
    let refused = |message| Ok(Verdict::Refused(StatusCode::OK, message));
    let Ok(away) = serde_json::from_value::<Away>(memory.clone()) else {
        return refused(MessageKey::SsoFailed);
    };
    let connection = match away.through.parse() {
        Ok(id) => find(visit, id).await?,
        Err(_) => None,
    };
    let Some(connection) = connection else { return refused(MessageKey::SsoFailed) };
    let claims = match sso::redeem(visit, &connection, &away, params).await {
        Ok(claims) => claims,
        Err(error) => {
            sso::failed(visit, &connection, &error).await?;
            return refused(provider::message(&error, MessageKey::SsoFailed));
        }
    };
    match sso::whom((&visit.host, app), &connection, &claims, progress.account()).await {
        Ok(Whom::Known(account)) => {
            let (seen_at, vouched) = (claims.seen_at, Some(claims.vouched));
            Ok(Verdict::Proven(Box::new(Proof { vouched, seen_at, ..Proof::of(*account) })))
        }
        Ok(Whom::Refused(message, status)) => Ok(Verdict::Refused(status, message)),
        Ok(Whom::NoMember) => {
            let error = svc_core::Error::conflict("the person is no member, and may not become one");
            sso::failed(visit, &connection, &error).await?;
            refused(MessageKey::SsoNoMember)
        }
        Err(error) if error.class().status() < 500 => {
            sso::failed(visit, &connection, &error).await?;
            refused(MessageKey::SsoNoMember)
        }
        Err(error) => Err(error),
    }
}

fn unknown() -> Begun {
    Begun::Refused(StatusCode::OK, MessageKey::SsoUnknown)
}

fn connection_in(memory: &Value, name: &str) -> Option<SsoConnectionId> {
    memory.get(name)?.as_str()?.parse().ok()
}

/// The connection; the pages look like its organization from here on.
async fn find(visit: &Visit, id: SsoConnectionId) -> Result<Option<Connection>> {
    let found = records::find_by_id(&mut visit.host.read().await?, id).await?;
    let organization = found.as_ref().map(|connection| connection.organization_id.to_string());
    visit.dress(organization.as_deref()).await?;
    Ok(found)
}
