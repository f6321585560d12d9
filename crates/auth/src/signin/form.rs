//! The steps of a sign-in: its form, the beginning and the end of a method, the way back from elsewhere, and the way back
//! into a flow (OpenID Connect Core §3.1.2.3).

use serde_json::{Value, json};
use svc_core::{Error, Result};
use svc_domain::federation::sso::Connection;
use svc_http::{
    Form, HeaderMap, HostCx, IntoResponse, Json, OauthError, Params, Response, Route, Routes, SetCookie, Uri,
    Visitor as _, see_other,
};
use svc_keys::token;

use super::attempt::Attempt;
use super::carried::Pending;
use super::ceremony::SignIn;
use super::journey::Journey;
use super::linked::{link, not_linked};
use super::methods::{self, Begun, Method, Turn, Verdict};
use super::social::relay;
use super::sso;
use crate::hosted::paths::{BEGIN, CHALLENGE, CONTINUE, RETURN, SIGN_IN};
use crate::hosted::{Visit, posted, redirected, with_query};
use crate::pages::MessageKey;

const WHY: &str =
    "a provider's page posts its answer, which does nothing before the browser brings it itself";

/// The form, and the address of its flow.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(CONTINUE).page("a page of sign-in", resume),
        Route::post(SIGN_IN).form("the sign-in form", sign_in),
        Route::get(BEGIN).page("begins a way to sign in that leads elsewhere", begin),
        Route::post(CHALLENGE).form("begins a way to sign in for the script of the page", challenge),
        Route::get(RETURN).page("the way back from another site", come_back),
        Route::post(RETURN).public(WHY, posted_back).undocumented(),
    ])
}

async fn resume(visit: &mut Visit, query: Params) -> Result<Response> {
    Journey::open(visit, query.one("flow")).await?.resume(None).await
}

async fn sign_in(visit: &mut Visit, form: Params) -> Result<Response> {
    let signin = SignIn::open(visit, form.one("flow")).await?;
    if let Some(account) = signin.waiting_for_address().await? {
        return Box::pin(signin.ask_for_address(&account)).await;
    }
    let pending = signin.pending.as_ref().map(|pending| pending.method.clone());
    let method = methods::chosen(&signin.visit().host, form.one("method").or(pending.as_deref()))?;
    if let Some(connection) = demanded(&signin, method, &form).await? {
        return signin.offering(&connection, form.one("username")).await;
    }
    let signin = signin.led_by(form.one("username")).await?;
    let restarts = form.one("begin").is_some();
    if method.begin.is_some() && (restarts || pending.as_deref() != Some(method.id)) {
        return begun(signin, method, &form).await;
    }
    finished(signin, method, &form).await
}

/// The connection that people with the typed address must use: no proof of another kind is looked at, whether there is an account
/// or not.
async fn demanded(signin: &SignIn<'_>, method: &Method, form: &Params) -> Result<Option<Connection>> {
    let typed = form.one("username").filter(|typed| typed.contains('@'));
    if typed.is_none() || signin.progress.account().is_some() || method.id == methods::sso::METHOD.id {
        return Ok(None);
    }
    let host = &signin.visit().host;
    sso::demanded_of(host, &mut host.read().await?, typed).await
}

/// A link begins a method where the answer to a form could not lead to another site (CSP, `form-action`). Without a method it leads
/// back to all of them, with what was proven.
async fn begin(visit: &mut Visit, query: Params) -> Result<Response> {
    let mut signin = SignIn::open(visit, query.one("flow")).await?;
    let Some(method) = query.one("method") else {
        signin.pending = None;
        return signin.page(&Attempt::default());
    };
    let method = methods::chosen(&signin.visit().host, Some(method))?;
    begun(signin, method, &query).await
}

/// What the script shows, and the state that its form sends on. The person answers elsewhere: if that fails, they choose again.
async fn challenge(visit: &mut Visit, form: Params) -> Result<Response> {
    let mut signin = SignIn::open(visit, form.one("flow")).await?;
    let method = methods::chosen(&signin.visit().host, Some(form.required("method")?))?;
    let begin = method.begin.filter(|_| signin.allows(method));
    let begin = begin.ok_or_else(|| Error::not_found("this way to sign in has no challenge here"))?;
    let turn = turn(&signin, (&Value::Null, &form));
    let Begun::Ask { shown, memory } = begin(turn).await? else {
        return Err(Error::not_found("this way to sign in has no challenge here"));
    };
    signin.pending = Some(Pending { method: method.id.to_owned(), shown: None, memory, return_path: None });
    let answer = json!({ "flow": signin.seal()?, "shown": shown });
    Ok((signin.visit().browser.introduce()?, Json(answer)).into_response())
}

async fn come_back(visit: &mut Visit, query: Params) -> Result<Response> {
    let path = visit.path().map(str::to_owned);
    if let Some(url) = relay::onward(&visit.host, path.as_deref().unwrap_or_default(), &query)? {
        return Ok(see_other(&url).into_response());
    }
    visit.move_on();
    let state = query.one("state").or_else(|| query.one("RelayState"));
    let carried = state.and_then(|name| visit.browser.away(name)).map(str::to_owned);
    let signin = SignIn::open(visit, carried.as_deref().or(state)).await?;
    let is_here = |pending: &&Pending| pending.return_path.is_some() && pending.return_path == path;
    let away = signin.pending.as_ref().filter(is_here);
    let away =
        away.ok_or_else(|| Error::forbidden("this sign-in is not under way elsewhere; start again"))?;
    let method = methods::chosen(&signin.visit().host, Some(&away.method))?;
    let answer = finished(signin, method, &query).await?;
    let forgotten = carried.map(|_| visit.browser.forget_away()).transpose()?;
    Ok((forgotten, answer).into_response())
}

/// The answer of a provider that posts it (OAuth 2.0 Form Post Response Mode): the cookies of the browser come with the redirect.
async fn posted_back(
    host: HostCx,
    headers: HeaderMap,
    uri: Uri,
    form: Result<Form, OauthError>,
) -> Result<Response, OauthError> {
    let visit = Visit::of(host, &headers, None)?;
    let params = posted(&uri, form)?;
    match redirected(&visit, &headers, uri.path(), &Ok(params)) {
        Some(redirect) => Ok(redirect),
        None => Err(Error::forbidden("this is the address for answers of other sites").into()),
    }
}

/// What a method is given.
fn turn<'a>(signin: &'a SignIn<'_>, (memory, params): (&'a Value, &'a Params)) -> Turn<'a> {
    Turn {
        visit: signin.visit(),
        app: signin.way.app(),
        progress: &signin.progress,
        memory,
        params,
        max_age: signin.max_age(),
        wants_second_factor: signin.wants_second_factor(),
        recovers: signin.way.recovers(),
    }
}

/// The page with what can be proven now, for a form that asked for something else.
fn not_now(mut signin: SignIn<'_>, method: &Method, params: &Params) -> Result<Response> {
    if !signin.accepts(method) {
        return signin.not_accepted(params.one("username"));
    }
    signin.pending = None;
    let attempt = Attempt { error: Some(MessageKey::SignInAgain), ..Attempt::default() };
    if signin.missing().is_empty() {
        // Nothing can be added to it any more: the person begins again.
        return SignIn::new(signin.way).page(&attempt);
    }
    signin.page(&attempt)
}

async fn begun(mut signin: SignIn<'_>, method: &'static Method, params: &Params) -> Result<Response> {
    if !signin.allows(method) {
        return not_now(signin, method, params);
    }
    let memory =
        signin.pending.as_ref().filter(|pending| pending.method == method.id && pending.shown.is_some());
    let memory = memory.map_or(Value::Null, |pending| pending.memory.clone());
    let turn = turn(&signin, (&memory, params));
    let begin = method.begin.ok_or_else(|| Error::not_found("this way to sign in has no beginning"))?;
    let pending = |shown, memory, return_path| {
        Some(Pending { method: method.id.to_owned(), shown, memory, return_path })
    };
    match begin(turn).await? {
        Begun::Ask { shown, memory } => {
            signin.pending = pending(Some(shown), memory, None);
            signin.page(&Attempt { username: params.one("username"), ..Attempt::default() })
        }
        Begun::Leave { url, state_parameter, return_path, may_be_relayed, wants_short_state, memory } => {
            signin.pending = pending(None, memory, Some(return_path.clone()));
            let mut state = signin.seal()?;
            let carried = if wants_short_state { carried(signin.visit(), &mut state)? } else { None };
            if may_be_relayed {
                state = relay::outgoing(&signin.visit().host, &return_path, state);
            }
            let url = with_query(&url, [(state_parameter, state.as_str())]);
            Ok((carried, see_other(&url)).into_response())
        }
        Begun::Again(status, error) => signin.page(&Attempt::again((params, method.id), status, error)),
        Begun::Refused(_, error) if signin.is_linking() => not_linked(signin.visit(), error),
        Begun::Refused(status, error) => {
            signin.pending = None;
            signin.page(&Attempt::again((params, method.id), status, error))
        }
    }
}

/// The cookie that carries a state, whose name takes its place; nothing where it is too long for one.
fn carried(visit: &Visit, state: &mut String) -> Result<Option<SetCookie>> {
    let name = token(&*visit.cx().entropy);
    let lifetime = visit.config().oidc.login_transaction_lifetime_secs;
    let cookie = visit.browser.away_cookie(&name, state, lifetime)?;
    if cookie.is_some() {
        *state = name;
    }
    Ok(cookie)
}

async fn finished(mut signin: SignIn<'_>, method: &'static Method, params: &Params) -> Result<Response> {
    if !signin.allows(method) {
        return not_now(signin, method, params);
    }
    let memory = signin.pending.as_ref().filter(|pending| pending.method == method.id);
    let memory = memory.map_or(&Value::Null, |pending| &pending.memory);
    let turn = turn(&signin, (memory, params));
    match (method.finish)(turn).await? {
        Verdict::Proven(proof) => {
            if params.one("trust") == Some("yes") {
                signin.progress = signin.progress.wanting_trust();
            }
            signin.proven(method, &proof).await
        }
        Verdict::Stranger(claims) => Box::pin(signin.stranger(method, *claims)).await,
        Verdict::Links(account, identity) => link(signin.visit(), &account, &identity).await,
        Verdict::Refused(_, error) if signin.is_linking_elsewhere() => not_linked(signin.visit(), error),
        Verdict::Refused(status, error) => {
            // From elsewhere nothing is left to show: the person chooses again.
            signin.pending = signin.pending.filter(|pending| pending.shown.is_some());
            signin.page(&Attempt::again((params, method.id), status, error))
        }
    }
}
