//! RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0): at once for the account that the hint names, else after a
//! question for which of those in this browser.

use std::sync::Arc;

use svc_core::capability::Capability;
use svc_core::{Result, Seconds, SessionId};
use svc_db::{Tenant, Tx};
use svc_domain::apps::App;
use svc_domain::people::sessions::{self, Session};
use svc_domain::people::subjects;
use svc_http::{
    Form, HeaderMap, HostCx, IntoResponse, Method, OauthError, Params, Response, Route, Routes, StatusCode,
    Uri, Visitor as _, see_other,
};
use svc_keys::Claims;

use super::purpose::{Purpose, wrong_form};
use super::support;
use crate::authorize::{Reads, former_key, own_id_token};
use crate::hosted::paths::OWN_ACCOUNTS;
use crate::hosted::{Visit, posted, redirected, with_query};
use crate::pages::{Form as SealedForm, SignOut, SignedOut};
use crate::signin::{Accounts, account_of, shown_account};

/// The end-session endpoint.
pub const PATH: &str = "/oauth/end-session";
const SIGN_OUT: &str = "/auth/sign-out";
/// The choice of every account.
pub const ALL: &str = "all";
const WHY: &str = "people come here to sign out";
const READS: Reads<'_> = Reads {
    needed: &[],
    usual: &["client_id", "post_logout_redirect_uri", "state"],
    taken: &[&["id_token_hint", "ui_locales"]],
};
/// A hint that expired longer ago says nothing about the person at this browser.
const OLDEST_HINT: Seconds = Seconds(365 * 86_400);
/// Longest `state` in bytes.
const LONGEST_STATE: usize = 8 * 1024;

/// What a request for sign-out says, as far as it holds.
struct Wanted {
    /// Who asks.
    app: Option<Arc<App>>,
    /// Whom a valid hint names.
    subject: Option<String>,
    /// Where to go afterwards: a registered address with the `state`.
    return_to: Option<String>,
    /// Whether an address was sent that is not registered.
    is_unregistered: bool,
    /// Whether everything that was sent holds.
    is_sound: bool,
}

/// The end-session endpoint and its confirmation.
pub fn routes() -> Routes {
    Routes::new([
        documented(Route::get(PATH).public(WHY, get)).parameters(|| READS.parameters()),
        documented(Route::post(PATH).public(WHY, post))
            .forms(|| vec![READS.form("EndSessionRequest", "Who signs out, and where to go afterwards.")]),
        Route::post(SIGN_OUT).form("confirms signing out", confirm),
    ])
}

fn documented(route: Route) -> Route {
    route
        .at_issuer()
        .summary("Sign-out")
        .describe("A browser is sent here (OpenID Connect RP-Initiated Logout 1.0 §2). Without a hint that names the person it asks first.")
        .returns_page(200)
        .redirects("The registered `post_logout_redirect_uri`, with `state`.")
}

async fn get(host: HostCx, method: Method, headers: HeaderMap, uri: Uri) -> Result<Response, OauthError> {
    // Safe by definition (RFC 9110 §9.3.2): no one is signed out.
    if method == Method::HEAD {
        return Ok(StatusCode::OK.into_response());
    }
    let mut visit = Visit::of(host, &headers, Some(&uri))?;
    let params = Params::parse(uri.query().unwrap_or_default());
    let outcome = asked(&mut visit, params).await;
    Ok(visit.answer(outcome).await)
}

async fn post(
    host: HostCx,
    headers: HeaderMap,
    uri: Uri,
    form: Result<Form, OauthError>,
) -> Result<Response, OauthError> {
    let mut visit = Visit::of(host, &headers, None)?;
    let params = posted(&uri, form);
    if let Some(redirect) = redirected(&visit, &headers, PATH, &params) {
        return Ok(redirect);
    }
    let outcome = asked(&mut visit, params).await;
    Ok(visit.answer(outcome).await)
}

async fn asked(visit: &mut Visit, params: Result<Params>) -> Result<Response> {
    let params = params?;
    let asked = params.one("ui_locales");
    visit.speak(asked)?;
    let wanted = wanted(visit, &params).await?;
    if !visit.has_session() {
        return without_session(visit, &wanted);
    }
    let mut tx = visit.host.begin().await?;
    let accounts = Accounts::or_acting(visit, &mut tx).await?;
    if accounts.present().is_none() {
        end_overdue(visit, &mut tx, &wanted).await?;
        tx.commit().await?;
        return without_session(visit, &wanted);
    }
    let meant = if wanted.is_sound { meant(&mut tx, &accounts, &wanted).await? } else { None };
    let Some(meant) = meant else {
        tx.commit().await?;
        if let Some(present) = accounts.present().filter(|_| asked.is_none()) {
            visit.speak_as(&present.person)?;
        }
        return question(visit, &wanted, &accounts);
    };
    end(visit, &mut tx, meant).await?;
    tx.commit().await?;
    let ended = [meant.id];
    signed_out(visit, &accounts.without(&ended), wanted.return_to.as_deref(), wanted.app.as_deref())
}

/// Where no session of this browser is live: applications that know of one of the person whom the hint names learn that it is over.
async fn end_overdue(visit: &Visit, tx: &mut Tx<Tenant>, wanted: &Wanted) -> Result<()> {
    let Some(subject) = wanted.subject.as_deref().filter(|_| wanted.is_sound) else { return Ok(()) };
    for secret in visit.browser.signed_in.secrets() {
        sessions::end_overdue(tx, visit.cx(), svc_keys::digest(secret), subject).await?;
    }
    Ok(())
}

/// The session of the person whom the hint names.
async fn meant<'s>(
    tx: &mut Tx<Tenant>,
    accounts: &'s Accounts,
    wanted: &Wanted,
) -> Result<Option<&'s Session>> {
    let Some(subject) = &wanted.subject else { return Ok(None) };
    for session in accounts.sessions() {
        if subjects::names(tx, &session.person, subject).await? {
            return Ok(Some(session));
        }
    }
    Ok(None)
}

/// Reads the parameters. What does not hold is left out, and makes a confirmation necessary.
async fn wanted(visit: &Visit, params: &Params) -> Result<Wanted> {
    let token = params.one("id_token_hint");
    let claims = if let Some(token) = token { hint(visit, token).await? } else { None };
    let is_hint_sound = token.is_none() || claims.is_some();
    let app = client(visit, params.one("client_id"), claims.as_ref()).await?;
    let named = params.one("client_id").is_some() || claims.is_some();
    let return_to = app.as_deref().and_then(|app| return_address(app, params));
    let sent = params.one("post_logout_redirect_uri");
    let is_return_sound = return_to.is_some() || sent.is_none();
    if let (Some(app), Some(sent), false) = (&app, sent, is_return_sound) {
        let registered = &app.configuration.post_logout_redirect_uris;
        visit.note_mismatch("post_logout_redirect_uri", sent, registered);
    }
    Ok(Wanted {
        subject: claims
            .as_ref()
            .filter(|_| app.is_some())
            .and_then(|claims| claims.text("sub"))
            .map(str::to_owned),
        is_sound: is_hint_sound && is_return_sound && (app.is_some() || !named),
        return_to: return_to.filter(|_| is_hint_sound),
        is_unregistered: !is_return_sound,
        app,
    })
}

/// The claims of an ID token of ours, expired or not.
async fn hint(visit: &Visit, token: &str) -> Result<Option<Claims>> {
    let (ring, issuer) = (visit.host.app.services.keys.ring(visit.host.tenant.id), &visit.host.tenant.issuer);
    let mut claims = own_id_token(&ring, token, issuer);
    if claims.is_none()
        && let Some(former) = former_key(&visit.host, &ring, token).await?
    {
        claims = own_id_token(&former, token, issuer);
    }
    let expired_at = |claims: &Claims| claims.time("exp").ok().flatten();
    Ok(claims.filter(|claims| expired_at(claims).is_some_and(|at| at + OLDEST_HINT > visit.cx().now)))
}

/// The application that asks: named by `client_id`, by the hint's audience, or by both alike.
async fn client(visit: &Visit, client_id: Option<&str>, claims: Option<&Claims>) -> Result<Option<Arc<App>>> {
    let (apps, tenant) = (&visit.host.app.services.apps, visit.host.tenant.id);
    let may_ask = |app: &Arc<App>| app.keeps(&Capability::END_SESSION);
    let Some(claims) = claims else {
        return match client_id {
            Some(client_id) => Ok(apps.find(tenant, client_id).await?.filter(may_ask)),
            None => Ok(None),
        };
    };
    for audience in claims.audiences().filter(|audience| client_id.is_none_or(|id| id == *audience)).take(5) {
        if let Some(app) = apps.find(tenant, audience).await? {
            return Ok(Some(app).filter(may_ask));
        }
    }
    Ok(None)
}

/// The registered address that the request names, character for character, with its `state`.
fn return_address(app: &App, params: &Params) -> Option<String> {
    let address = params.one("post_logout_redirect_uri")?;
    let is_registered = app.configuration.post_logout_redirect_uris.iter().any(|known| known == address);
    let state = params.one("state");
    let is_state_fit =
        state.is_none_or(|state| state.len() <= LONGEST_STATE && !state.chars().any(char::is_control));
    (app.enabled && is_registered && is_state_fit)
        .then(|| with_query(address, state.map(|state| ("state", state))))
}

/// Without a session: on to the application if a hint proves that it asks, else a page with the way there. A hint of an
/// application that registered itself proves only that its owner signed in once: no one has checked where it leads
/// (RFC 9700 §4.11.2).
fn without_session(visit: &Visit, wanted: &Wanted) -> Result<Response> {
    let is_checked = wanted.app.as_ref().is_some_and(|app| !app.is_self_registered());
    match &wanted.return_to {
        Some(address) if is_checked && wanted.subject.is_some() => Ok(see_other(address)),
        address => {
            signed_out_page(visit, (address.as_deref(), false), wanted.app.as_deref(), wanted.is_unregistered)
        }
    }
}

fn question(visit: &Visit, wanted: &Wanted, accounts: &Accounts) -> Result<Response> {
    let sessions = accounts.sessions().map(|session| session.id).collect();
    let flow = visit.seal(&Purpose::SignOut { return_to: wanted.return_to.clone(), sessions })?;
    let shown =
        accounts.sessions().map(|session| shown_account(&session.person, Some(session.id.to_string())));
    let accounts_shown = if accounts.are_several() { shown.collect() } else { Vec::new() };
    let present = accounts.present().filter(|_| !accounts.are_several());
    let page = SignOut {
        form: SealedForm::new(SIGN_OUT, flow),
        app_name: wanted.app.as_ref().map(|app| (&app.configuration.name).into()),
        account: present.map(|session| account_of(&session.person).into()),
        accounts: accounts_shown,
        is_unregistered: wanted.is_unregistered,
        mismatch: visit.mismatch(),
    };
    visit.page_as(StatusCode::OK, &page, wanted.return_to.as_deref())
}

async fn confirm(visit: &mut Visit, form: Params) -> Result<Response> {
    let Purpose::SignOut { return_to, sessions } = visit.open(form.one("flow"))? else {
        return Err(wrong_form());
    };
    // The page with one account has one button, which says nothing more.
    let choice = if sessions.len() > 1 { form.required("account")? } else { ALL };
    let is_meant = |id: &SessionId| choice == ALL || id.to_string() == choice;
    let meant: Vec<SessionId> = sessions.into_iter().filter(is_meant).collect();
    let mut tx = visit.host.begin().await?;
    let accounts = Accounts::or_acting(visit, &mut tx).await?;
    end_some(visit, &mut tx, (&accounts, &meant)).await?;
    tx.commit().await?;
    signed_out(visit, &accounts.without(&meant), return_to.as_deref(), None)
}

/// Ends those of the sessions of this browser that are meant.
pub async fn end_some(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (accounts, meant): (&Accounts, &[SessionId]),
) -> Result<()> {
    for session in accounts.sessions().filter(|session| meant.contains(&session.id)) {
        end(visit, tx, session).await?;
    }
    Ok(())
}

/// Ends the session, and with it the access tokens that were issued in it.
async fn end(visit: &Visit, tx: &mut Tx<Tenant>, session: &Session) -> Result<()> {
    if session.is_acting() {
        return support::stop(visit, tx, session).await;
    }
    let cx = visit.cx().acting_as(session.actor());
    sessions::end(tx, &cx, session).await
}

/// After the commit: the browser forgets too, and keeps the accounts that are left.
pub fn signed_out(
    visit: &Visit,
    left: &Accounts,
    return_to: Option<&str>,
    app: Option<&App>,
) -> Result<Response> {
    if left.is_acting() {
        visit.note_acting_is_over();
    }
    let has_others = left.present().is_some() || left.is_acting();
    let response = match return_to {
        Some(address) => see_other(address),
        None => signed_out_page(visit, (None, has_others), app, false)?,
    };
    // Who acted for a person is at their own sessions again.
    if left.is_acting() {
        return Ok((visit.browser.forget_acting()?, response).into_response());
    }
    Ok((left.cookies(visit)?, response).into_response())
}

fn signed_out_page(
    visit: &Visit,
    (return_to, has_others): (Option<&str>, bool),
    app: Option<&App>,
    is_unregistered: bool,
) -> Result<Response> {
    // A native application's address is none that a page could link to.
    let continue_url = return_to.filter(|address| address.starts_with("http")).map(Into::into);
    let app_name = app.map(|app| (&app.configuration.name).into());
    let mismatch = visit.mismatch();
    let accounts_url = has_others.then(|| OWN_ACCOUNTS.into());
    visit.page(&SignedOut { app_name, continue_url, accounts_url, mismatch, is_unregistered })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::app;

    fn address(pairs: &[(&str, &str)]) -> Option<String> {
        let mut app = app();
        app.configuration.post_logout_redirect_uris = vec!["https://app.example/bye?x=1".to_owned()];
        return_address(&app, &pairs.iter().copied().collect())
    }

    #[test]
    fn only_a_registered_address_is_returned_to_and_only_state_goes_with_it() {
        let uri = ("post_logout_redirect_uri", "https://app.example/bye?x=1");
        assert_eq!(address(&[uri]).unwrap(), "https://app.example/bye?x=1");
        assert_eq!(address(&[uri, ("state", "a b&")]).unwrap(), "https://app.example/bye?x=1&state=a%20b%26");
        for bad in [
            "https://app.example/bye",
            "https://app.example/bye?x=1&y=2",
            "https://evil.example/",
            "javascript:x",
        ] {
            assert_eq!(address(&[("post_logout_redirect_uri", bad)]), None, "{bad}");
        }
        assert_eq!(address(&[uri, ("state", "a\r\nb")]), None);
        assert_eq!(address(&[]), None);
    }
}
