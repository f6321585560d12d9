//! The steps of a sign-in: its form, the beginning and the end of a method, the way back from elsewhere, and the way back
//! into a flow (OpenID Connect Core §3.1.2.3).

use serde_json::Value;
use svc_core::{Error, Result};
use svc_http::{IntoResponse, Params, Response, Route, Routes, see_other};

use super::attempt::Attempt;
use super::ceremony::{Pending, SignIn};
use super::journey::Journey;
use super::methods::{self, Begun, Method, Turn, Verdict};
use crate::hosted::paths::{BEGIN, CONTINUE, RETURN, SIGN_IN};
use crate::hosted::{Visit, with_query};

/// The form, and the address of its flow.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(CONTINUE).page("a page of sign-in", resume),
        Route::post(SIGN_IN).form("the sign-in form", sign_in),
        Route::get(BEGIN).page("begins a way to sign in that leads elsewhere", begin),
        Route::get(RETURN).page("the way back from another site", come_back),
    ])
}

async fn resume(visit: &mut Visit, query: Params) -> Result<Response> {
    Journey::open(visit, query.one("flow")).await?.resume(None).await
}

async fn sign_in(visit: &mut Visit, form: Params) -> Result<Response> {
    let signin = SignIn::open(visit, form.one("flow")).await?;
    let pending = signin.pending.as_ref().map(|pending| pending.method.clone());
    let method = methods::chosen(&signin.visit().host, form.one("method").or(pending.as_deref()))?;
    if method.begin.is_some() && pending.as_deref() != Some(method.id) {
        return begun(signin, method, &form).await;
    }
    finished(signin, method, &form).await
}

/// A link begins a method where the answer to a form could not lead to another site (CSP, `form-action`).
async fn begin(visit: &mut Visit, query: Params) -> Result<Response> {
    let signin = SignIn::open(visit, query.one("flow")).await?;
    let method = methods::chosen(&signin.visit().host, Some(query.required("method")?))?;
    begun(signin, method, &query).await
}

async fn come_back(visit: &mut Visit, query: Params) -> Result<Response> {
    visit.move_on();
    let signin = SignIn::open(visit, query.one("state").or_else(|| query.one("RelayState"))).await?;
    let away = signin.pending.as_ref().filter(|pending| pending.shown.is_none());
    let away =
        away.ok_or_else(|| Error::forbidden("this sign-in is not under way elsewhere; start again"))?;
    let method = methods::chosen(&signin.visit().host, Some(&away.method))?;
    finished(signin, method, &query).await
}

async fn begun(mut signin: SignIn<'_>, method: &'static Method, params: &Params) -> Result<Response> {
    let turn = Turn { visit: signin.visit(), progress: &signin.progress, memory: &Value::Null, params };
    let begin = method.begin.ok_or_else(|| Error::not_found("this way to sign in has no beginning"))?;
    let pending = |shown, memory| Some(Pending { method: method.id.to_owned(), shown, memory });
    match begin(turn).await? {
        Begun::Ask { shown, memory } => {
            signin.pending = pending(Some(shown), memory);
            signin.page(&Attempt { username: params.one("username"), ..Attempt::default() })
        }
        Begun::Leave { url, state_parameter, memory } => {
            signin.pending = pending(None, memory);
            let state = signin.seal()?;
            Ok(see_other(&with_query(&url, [(state_parameter, state.as_str())])).into_response())
        }
        Begun::Refused(status, error) => signin.page(&Attempt::again(params, status, error)),
    }
}

async fn finished(mut signin: SignIn<'_>, method: &'static Method, params: &Params) -> Result<Response> {
    let memory = signin.pending.as_ref().filter(|pending| pending.method == method.id);
    let memory = memory.map_or(&Value::Null, |pending| &pending.memory);
    let turn = Turn { visit: signin.visit(), progress: &signin.progress, memory, params };
    match (method.finish)(turn).await? {
        Verdict::Proven(proof) => signin.proven(method, &proof).await,
        Verdict::Refused(status, error) => {
            // From elsewhere nothing is left to show: the person chooses again.
            signin.pending = signin.pending.filter(|pending| pending.shown.is_some());
            signin.page(&Attempt::again(params, status, error))
        }
    }
}
