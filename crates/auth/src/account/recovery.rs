//! Forgotten password (NIST SP 800-63B §4.2): a mailed link allows one new password, and ends everything older.

use serde::{Deserialize, Serialize};
use svc_core::{Actor, Error, Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::coordination::attempts;
use svc_domain::log::audit::{self, Entry};
use svc_domain::people::links::{self, LinkKind, NewLink};
use svc_domain::people::tenant_users::{self, Person};
use svc_domain::people::{changes, subjects};
use svc_domain::tokens::revocations::Revoked;
use svc_http::{Form, HeaderMap, HostCx, OauthError, Response, Route, Routes, StatusCode, Uri};
use svc_keys::{digest, token};

use super::mailed::{self, Onward};
use super::purpose::{Purpose, wrong_form};
use crate::hosted::paths::{CONTINUE, FORGOT};
use crate::hosted::{Visit, query_of};
use crate::pages::{Forgot, ForgotSent, Mail, MessageKey, Outcome, Page, ResetPassword};
use crate::signin::methods::password;
use crate::signin::{Attempt, Flow, Journey, account_of, offers};

const RESET: &str = "/auth/reset";
/// How long a link may be followed.
const LIFETIME: Seconds = Seconds(30 * 60);
/// How long `tenant_users::end_access` keeps the subject's older tokens revoked.
const REVOKED_FOR: Seconds = Seconds(86_400);

/// What the link in the mail stands for.
#[derive(Serialize, Deserialize)]
struct Pending {
    /// The address it went to; when that has changed, the link proves nothing.
    email: String,
    onward: Option<Onward>,
}

/// Asking for a link, and following it.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(FORGOT).public("the form for a forgotten password", show).undocumented(),
        Route::post(FORGOT).public("the form for a forgotten password", submit).undocumented(),
        Route::get(RESET).public("the link of a recovery mail", ask).undocumented(),
        Route::post(RESET).public("sets a new password", reset).undocumented(),
    ])
}

async fn show(host: HostCx, headers: HeaderMap, uri: Uri) -> Result<Response, OauthError> {
    let mut visit = Visit::new(host, &headers)?;
    let outcome = shown(&mut visit, &uri);
    Ok(visit.answer(outcome))
}

fn shown(visit: &mut Visit, uri: &Uri) -> Result<Response> {
    must_be_open(visit)?;
    let query = query_of(uri)?;
    let flow = query.one("flow").map(|text| visit.open::<Flow>(Some(text))).transpose()?;
    visit.speak(flow.as_ref().and_then(|flow| flow.request.ui_locales.as_deref()))?;
    page(visit, flow.as_ref(), "", None, StatusCode::OK)
}

/// The form, within a flow or by itself.
fn page(
    visit: &Visit,
    flow: Option<&Flow>,
    username: &str,
    error: Option<MessageKey>,
    status: StatusCode,
) -> Result<Response> {
    let state = flow.map_or_else(|| visit.seal(&Purpose::Forgot), |flow| visit.seal(flow))?;
    let signin_url = flow.map(|_| format!("{CONTINUE}?flow={state}"));
    let signin_url = signin_url.as_deref();
    let page = Page::Forgot(Forgot { action: FORGOT, flow: &state, username, error, signin_url });
    visit.page_as(status, &page, None)
}

async fn submit(
    host: HostCx,
    headers: HeaderMap,
    form: Result<Form, OauthError>,
) -> Result<Response, OauthError> {
    let mut visit = Visit::new(host, &headers)?;
    let outcome = submitted(&mut visit, form).await;
    Ok(visit.answer(outcome))
}

async fn submitted(visit: &mut Visit, form: Result<Form, OauthError>) -> Result<Response> {
    let form = visit.own_form(form)?;
    must_be_open(visit)?;
    let flow = opened(visit, form.one("flow"))?;
    visit.speak(flow.as_ref().and_then(|flow| flow.request.ui_locales.as_deref()))?;
    let username = form.one("username").map(str::trim).unwrap_or_default();
    if username.is_empty() {
        return page(visit, flow.as_ref(), "", Some(MessageKey::UsernameMissing), StatusCode::OK);
    }
    if let Some(error) = mailed::too_many(visit, "forgot").await {
        return page(visit, flow.as_ref(), username, Some(error), StatusCode::TOO_MANY_REQUESTS);
    }
    mail(visit, username, flow.clone()).await?;
    let signin_url =
        flow.map(|flow| visit.seal(&flow)).transpose()?.map(|state| format!("{CONTINUE}?flow={state}"));
    visit.page(&Page::ForgotSent(ForgotSent { signin_url: signin_url.as_deref() }))
}

/// The flow behind the form, or none where the form stands by itself.
fn opened(visit: &Visit, state: Option<&str>) -> Result<Option<Flow>> {
    match visit.open::<Flow>(state) {
        Ok(flow) => Ok(Some(flow)),
        Err(_) if visit.open::<Purpose>(state).is_ok_and(|form| form == Purpose::Forgot) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Sends a link to whoever answers to `identifier`. For nobody the same is done but for the mail: the link that is
/// stored then opens nothing.
async fn mail(visit: &Visit, identifier: &str, flow: Option<Flow>) -> Result<()> {
    let cx = visit.cx();
    let mut tx = visit.host.begin().await?;
    let person = tenant_users::find_by_identifier(&mut tx, identifier).await?;
    let person = person.filter(|person| person.may_sign_in() && person.email.is_some());
    let email = person.as_ref().and_then(|person| person.email.clone());
    let secret = token(&*cx.entropy);
    let url = mailed::link(visit, RESET, &secret);
    let name = person.as_ref().and_then(|person| person.profile.name.as_deref());
    let text = mailed::written(visit, &Mail::ResetPassword { name, url: &url, expires: LIFETIME })?;
    let payload = Pending {
        email: email.clone().unwrap_or_default(),
        onward: flow.map(|flow| Onward::new(visit, flow)),
    };
    let account = person.as_ref().map(|person| person.account_id);
    let kind = LinkKind::ResetPassword;
    links::create(
        &mut tx,
        cx,
        NewLink { digest: digest(&secret), kind, account, payload: &payload, lifetime: LIFETIME },
    )
    .await?;
    let target = person.as_ref().map(|person| person.id.to_string()).unwrap_or_default();
    audit::record(&mut tx, cx, Entry::done("password.reset_requested", &target)).await?;
    if let Some(to) = email {
        mailed::send(visit, &mut tx, &to, text).await?;
    }
    tx.commit().await
}

async fn ask(host: HostCx, headers: HeaderMap, uri: Uri) -> Result<Response, OauthError> {
    let visit = Visit::new(host, &headers)?;
    let outcome = asked(&visit, &uri).await;
    Ok(visit.answer(outcome))
}

/// Shows the form for the new password; opening the link changes nothing.
async fn asked(visit: &Visit, uri: &Uri) -> Result<Response> {
    let query = query_of(uri)?;
    let secret = query.one("token").unwrap_or_default();
    match owner(visit, secret).await? {
        Some((person, _)) => reset_page(visit, secret, &person, None),
        None => mailed::dead_link(visit),
    }
}

fn reset_page(visit: &Visit, secret: &str, person: &Person, error: Option<MessageKey>) -> Result<Response> {
    let flow = visit.seal(&Purpose::ResetPassword(secret.to_owned()))?;
    let username = account_of(person);
    let min_length = password::shortest();
    let page = ResetPassword { action: RESET, flow: &flow, username, error, min_length };
    visit.page(&Page::ResetPassword(page))
}

/// Whose live link this is, and where they were; it stays unspent.
async fn owner(visit: &Visit, secret: &str) -> Result<Option<(Person, Option<Onward>)>> {
    let Some(link) = mailed::peek::<Pending>(visit, secret, LinkKind::ResetPassword).await? else {
        return Ok(None);
    };
    let Some(account) = link.account else { return Ok(None) };
    let mut tx = visit.host.read().await?;
    let person = tenant_users::find_by_account(&mut tx, account).await?;
    tx.commit().await?;
    let Pending { email, onward } = link.payload;
    let person = person.filter(|person| person.email.as_deref() == Some(&email));
    Ok(person.map(|person| (person, onward)))
}

async fn reset(
    host: HostCx,
    headers: HeaderMap,
    form: Result<Form, OauthError>,
) -> Result<Response, OauthError> {
    let visit = Visit::new(host, &headers)?;
    let outcome = changed(&visit, form).await;
    Ok(visit.answer(outcome))
}

async fn changed(visit: &Visit, form: Result<Form, OauthError>) -> Result<Response> {
    let form = visit.own_form(form)?;
    let Purpose::ResetPassword(secret) = visit.open(form.one("flow"))? else {
        return Err(wrong_form());
    };
    let Some((person, onward)) = owner(visit, &secret).await? else { return mailed::dead_link(visit) };
    let password = password::typed(&form);
    let names: Vec<&str> =
        [&person.email, &person.profile.name].into_iter().flatten().map(String::as_str).collect();
    if let Some(error) = password::fault(&password, &names) {
        return reset_page(visit, &secret, &person, Some(error));
    }
    let pool = &visit.host.app.services.passwords;
    let hash = pool.hash(&password, &*visit.cx().entropy).await?;
    let mut tx = visit.host.begin().await?;
    let Some(person) = spent(visit, &mut tx, &secret, &hash).await? else {
        tx.commit().await?;
        return mailed::dead_link(visit);
    };
    tx.commit().await?;
    let cx = visit.cx();
    let tenant = visit.host.tenant.id.reference();
    let pairwise = subjects::all_of(&mut visit.host.read().await?, person.id).await?;
    for subject in pairwise.into_iter().chain([person.subject.clone()]) {
        let mark = Revoked::Subject(subject);
        visit.host.app.services.revocations.learn(tenant, mark, cx, cx.now + REVOKED_FOR);
    }
    go_on(visit, onward, &person).await
}

/// Spends the link and sets the password. Everything that hung on the old one ends: sessions, refresh families, tokens.
async fn spent(visit: &Visit, tx: &mut Tx<Tenant>, secret: &str, hash: &str) -> Result<Option<Person>> {
    let cx = visit.cx();
    let link = links::spend::<Pending>(tx, cx, digest(secret), LinkKind::ResetPassword).await?;
    let Some(link) = link else { return Ok(None) };
    let Some(account) = link.account else { return Ok(None) };
    let is_good = |person: &Person| {
        let is_same_address = person.email.as_deref() == Some(&link.payload.email);
        person.may_sign_in() && is_same_address && link.created_at >= person.credentials_changed_at
    };
    let Some(person) = tenant_users::find_by_account(tx, account).await?.filter(is_good) else {
        return Ok(None);
    };
    let cx = cx.acting_as(Actor::User(person.subject.clone()));
    changes::set_password(tx, &cx, &person, hash).await?;
    if !person.email_verified {
        changes::verify_email(tx, &cx, &person).await?;
    }
    attempts::clear(tx, attempts::subject_of(person.account_id)).await?;
    audit::record(tx, &cx, Entry::done("password.reset", &person.id.to_string())).await?;
    let url = format!("{}{FORGOT}", visit.host.origin());
    let name = person.profile.name.as_deref();
    let text = mailed::written(visit, &Mail::PasswordChanged { name, url: &url })?;
    mailed::notify(visit, tx, &link.payload.email, text).await?;
    Ok(Some(person))
}

/// Back to the sign-in form in the browser where it began: the new password is to be used once.
async fn go_on(visit: &Visit, onward: Option<Onward>, person: &Person) -> Result<Response> {
    let Some(flow) = onward.and_then(|onward| onward.here(visit)) else {
        return mailed::done(visit, Outcome::PasswordChanged);
    };
    match Journey::of(visit, flow).await {
        Ok(journey) => journey.sign_in_page(&Attempt {
            username: Some(account_of(person)),
            notice: Some(MessageKey::PasswordChanged),
            ..Attempt::default()
        }),
        Err(_) => mailed::done(visit, Outcome::PasswordChanged),
    }
}

fn must_be_open(visit: &Visit) -> Result<()> {
    if offers::recovery(&visit.host) {
        Ok(())
    } else {
        Err(Error::not_found("passwords cannot be set anew by mail here"))
    }
}
