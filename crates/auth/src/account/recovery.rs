//! Forgotten password (NIST SP 800-63B §4.2): a mailed link allows one new password, and ends everything older.
//!
//! It works at every tenant for every account, whether it is a member there or not, and tells nothing.

use serde::{Deserialize, Serialize};
use svc_core::{Cx, Error, Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::log::{Action, Meaning, record, target_of};
use svc_domain::people::accounts::{self, Account};
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::credentials;
use svc_domain::people::guesses;
use svc_domain::people::links::{self, LinkKind, NewLink};
use svc_domain::people::tenant_users::{Person, Status};
use svc_http::{Params, Response, Route, Routes, StatusCode, TenantCx};
use svc_keys::{digest, token};

use super::ends::take_in_ends;
use super::mailed;
use super::purpose::{Purpose, wrong_form};
use super::written::{self, Sender};
use crate::hosted::paths::{ASK_GUARDIANS, CONTINUE, FORGOT, SIGN_IN, START};
use crate::hosted::{Visit, captcha, mail};
use crate::pages::{Forgot, ForgotSent, Form, Mail, MessageKey, OtherWays, Outcome, ResetPassword, Topic};
use crate::signin::methods::{ListedFor, password};
use crate::signin::{Attempt, Flow, Journey, Onward, begin_recovery, offers, parts, recovery_ways};

const RESET: &str = "/auth/reset";
/// How long a link may be followed.
const LIFETIME: Seconds = Seconds(30 * 60);

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
        Route::get(FORGOT).page("the form for a forgotten password", show),
        Route::post(FORGOT).form("the form for a forgotten password", submit),
        Route::get(RESET).page("the link of a recovery mail", ask),
        Route::post(RESET).form("sets a new password", reset),
    ])
}

async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    must_be_open(visit)?;
    let flow = query.one("flow").map(|text| visit.open::<Flow>(Some(text))).transpose()?;
    speak_and_dress(visit, flow.as_ref()).await?;
    let typed = flow.as_ref().and_then(|flow| flow.typed.as_deref()).unwrap_or_default();
    page(visit, flow.as_ref(), typed, None, StatusCode::OK)
}

/// Speaks and looks as the flow does in which the password was missing.
async fn speak_and_dress(visit: &mut Visit, flow: Option<&Flow>) -> Result<()> {
    visit.speak(flow.and_then(|flow| flow.request.ui_locales.as_deref()))?;
    visit.dress(flow.and_then(Flow::held_to).as_deref()).await
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
    let signin_url = flow.map(|_| format!("{CONTINUE}?flow={state}").into());
    let form = Form::new(FORGOT, state).with(error).asking(captcha::widget(visit));
    let guardians_url = offers::social_recovery(&visit.host).then(|| ASK_GUARDIANS.into());
    let others = others(visit, flow)?;
    let page = Forgot { form, username: username.into(), signin_url, others, guardians_url };
    visit.page_as(status, &page, None)
}

/// The other ways to a new password, where the tenant offers some: which of them a person has is not known here.
fn others(visit: &Visit, flow: Option<&Flow>) -> Result<Option<OtherWays>> {
    let methods = parts(&visit.host, recovery_ways(&visit.host), ListedFor::Recovery);
    if methods.is_empty() {
        return Ok(None);
    }
    let flow = flow.map(|flow| Flow { typed: None, ..flow.clone() });
    let form = Form::new(SIGN_IN, begin_recovery(visit, flow).seal()?);
    Ok(Some(OtherWays { form, methods, is_second: false, is_recovery: true }))
}

async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    must_be_open(visit)?;
    let flow = opened(visit, form.one("flow"))?;
    speak_and_dress(visit, flow.as_ref()).await?;
    let username = form.one("username").map(str::trim).unwrap_or_default();
    if username.is_empty() {
        return page(visit, flow.as_ref(), "", Some(MessageKey::UsernameMissing), StatusCode::OK);
    }
    if let Some(error) = captcha::judge_again(visit, &form).await?.fault() {
        return page(visit, flow.as_ref(), username, Some(error), StatusCode::OK);
    }
    if let Some(error) = mail::too_many(visit, "forgot").await {
        return page(visit, flow.as_ref(), username, Some(error), StatusCode::TOO_MANY_REQUESTS);
    }
    send(visit, username, flow.clone()).await?;
    let Some(flow) = flow else {
        let form = Form::new(FORGOT, visit.seal(&Purpose::Forgot)?);
        let again_url = Some(FORGOT.into());
        return visit.page(&ForgotSent { form, username: username.into(), again_url, signin_url: None });
    };
    let state = visit.seal(&flow)?;
    let signin_url = Some(format!("{CONTINUE}?flow={state}").into());
    let again = visit.seal(&Flow { typed: Some(username.to_owned()), ..flow })?;
    let again_url = Some(format!("{FORGOT}?flow={again}").into());
    let form = Form::new(FORGOT, state);
    visit.page(&ForgotSent { form, username: username.into(), again_url, signin_url })
}

/// The flow behind the form, or none where the form stands by itself.
fn opened(visit: &Visit, state: Option<&str>) -> Result<Option<Flow>> {
    match visit.open::<Flow>(state) {
        Ok(flow) => Ok(Some(flow)),
        Err(_) if visit.open::<Purpose>(state).is_ok_and(|form| form == Purpose::Forgot) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Sends a link to the account that answers to `identifier`. Where none does, the same is done but for the mail: the link
/// that is stored then opens nothing.
async fn send(visit: &Visit, identifier: &str, flow: Option<Flow>) -> Result<()> {
    mail::must_be_sealable(visit)?;
    let cx = visit.cx();
    let candidate = changes::candidate_named(&mut visit.host.read().await?, identifier).await?;
    let candidate = candidate.filter(|candidate| candidate.account.is_active);
    let account = candidate.as_ref().map(|candidate| &candidate.account);
    let email = account.and_then(|account| account.email.clone());
    let may_be_sent = mail::may_be_sent(visit, email.as_deref().unwrap_or(identifier), account).await;
    let secret = token(&*cx.entropy);
    let url = mailed::link(visit, RESET, &secret);
    let name = account.and_then(|account| account.profile.name.as_deref());
    let text = mail::written(
        visit,
        account,
        &Mail {
            topic: Topic::ResetPassword,
            name,
            organization: None,
            url: &url,
            code: None,
            time: Some(LIFETIME),
        },
    )?;
    let payload = Pending {
        email: email.clone().unwrap_or_default(),
        onward: flow.map(|flow| Onward::new(visit, flow)),
    };
    let (kind, id) = (LinkKind::ResetPassword, account.map(|account| account.id));
    let new = NewLink { digest: digest(&secret), kind, account: id, payload: &payload, lifetime: LIFETIME };
    let mut tx = visit.host.begin().await?;
    links::create(&mut tx, cx, new).await?;
    let target = target_of(candidate.as_ref().and_then(Candidate::member_id));
    record(&mut tx, cx, Meaning::done(Action::PasswordResetRequested, target));
    if let Some(to) = email.filter(|_| may_be_sent) {
        mail::queue(visit, &mut tx, &to, text)?;
    }
    tx.commit().await
}

/// Mails a member a link for a new password, because an administrator of the tenant asks for it.
pub(super) async fn offer(caller: &TenantCx, tx: &mut Tx<Tenant>, person: &Person) -> Result<()> {
    let email = written::address(person)?;
    let secret = token(&*caller.entropy);
    let payload = Pending { email: email.to_owned(), onward: None };
    let (kind, account) = (LinkKind::ResetPassword, Some(person.account_id));
    let new = NewLink { digest: digest(&secret), kind, account, payload: &payload, lifetime: LIFETIME };
    links::create(tx, caller, new).await?;
    record(tx, caller, Meaning::done(Action::PasswordResetRequested, person.id));
    let (topic, name) = (Topic::Recovery, person.profile.name.as_deref());
    let url = Sender::from(caller).link(RESET, &secret);
    written::queue(
        caller,
        tx,
        person,
        &Mail { topic, name, organization: None, url: &url, code: None, time: Some(LIFETIME) },
    )
}

/// Shows the form for the new password; opening the link changes nothing.
async fn ask(visit: &mut Visit, query: Params) -> Result<Response> {
    let secret = query.one("token").unwrap_or_default();
    match owner(visit, secret).await? {
        Some((account, _)) => reset_page(visit, secret, &account, None),
        None => dead_link(visit),
    }
}

fn reset_page(visit: &Visit, secret: &str, account: &Account, error: Option<MessageKey>) -> Result<Response> {
    let flow = visit.seal(&Purpose::ResetPassword(secret.to_owned()))?;
    let username = account.email.as_deref().unwrap_or_default().into();
    let form = Form::new(RESET, flow).with(error);
    visit.page(&ResetPassword { form, username, min_length: password::shortest() })
}

/// Whose live link this is, and where they were; it stays unspent.
async fn owner(visit: &mut Visit, secret: &str) -> Result<Option<(Account, Option<Onward>)>> {
    let Some(link) = mailed::peek::<Pending>(visit, secret, LinkKind::ResetPassword).await? else {
        return Ok(None);
    };
    let Some(account) = link.account else { return Ok(None) };
    let mut tx = visit.host.read().await?;
    let account = accounts::find(&mut tx, account).await?;
    tx.commit().await?;
    let Pending { email, onward } = link.payload;
    if let Some(onward) = &onward {
        onward.speak_and_dress(visit).await?;
    }
    let account = account.filter(|account| account.is_active && account.email.as_deref() == Some(&email));
    Ok(account.map(|account| (account, onward)))
}

async fn reset(visit: &mut Visit, form: Params) -> Result<Response> {
    let Purpose::ResetPassword(secret) = visit.open(form.one("flow"))? else {
        return Err(wrong_form());
    };
    let Some((account, onward)) = owner(visit, &secret).await? else { return dead_link(visit) };
    let password = password::typed(&form);
    let names: Vec<&str> =
        [&account.email, &account.profile.name].into_iter().flatten().map(String::as_str).collect();
    if let Some(error) = password::fault(visit, &password, &names).await {
        return reset_page(visit, &secret, &account, Some(error));
    }
    let hash = visit.host.app.hash_password(visit.host.tenant.id, &password).await?;
    let mut tx = visit.host.begin().await?;
    let is_changed = spent(visit, &mut tx, &secret, &hash).await?;
    tx.commit().await?;
    if !is_changed {
        return dead_link(visit);
    }
    take_in_ends(&visit.host).await?;
    go_on(visit, onward, &account).await
}

/// The page on which the owner of an account, who has just come from their mailbox, chooses a new password.
pub(super) async fn begun(tx: &mut Tx<Tenant>, cx: &Cx, account: &Account) -> Result<String> {
    let secret = token(&*cx.entropy);
    let payload = Pending { email: account.email.clone().unwrap_or_default(), onward: None };
    let (kind, id) = (LinkKind::ResetPassword, Some(account.id));
    let new = NewLink { digest: digest(&secret), kind, account: id, payload: &payload, lifetime: LIFETIME };
    links::create(tx, cx, new).await?;
    Ok(format!("{RESET}?token={secret}"))
}

/// Spends the link and sets the password. Everything that hung on the old one ends: sessions, refresh families, tokens.
async fn spent(visit: &Visit, tx: &mut Tx<Tenant>, secret: &str, hash: &str) -> Result<bool> {
    let cx = visit.cx();
    let link = links::spend::<Pending>(tx, cx, digest(secret), LinkKind::ResetPassword).await?;
    let Some(link) = link else { return Ok(false) };
    let Some(account) = link.account else { return Ok(false) };
    let is_good = |candidate: &Candidate| {
        let account = &candidate.account;
        let is_same_address = account.email.as_deref() == Some(&link.payload.email);
        account.is_active && is_same_address && link.created_at >= account.credentials_changed_at
    };
    // Held before that is read and the time taken: what a sign-in begins until then is older.
    credentials::hold(tx, account);
    let Some(candidate) = changes::candidate(tx, account).await?.filter(is_good) else { return Ok(false) };
    let cx = visit.later().acting_as(candidate.actor());
    let password = (hash, Action::PasswordReset);
    // The owner may be giving up the address to which the mail went.
    accounts::hold(tx, &candidate.account).await?;
    if accounts::is_its_owners(tx, &candidate.account).await? {
        changes::set_account_password(tx, &cx, &candidate.account, password).await?;
    } else {
        changes::hand_over(tx, &cx, &candidate.account, Some(password)).await?;
    }
    // The mailbox is the owner's, and the password is new: what waited for the owner's own sign-in need not wait any more.
    if let Some(member) = candidate.member.clone().filter(|member| member.status == Status::PreProvisioned) {
        changes::accepted(tx, &cx, member).await?;
    }
    guesses::clear(tx, &candidate);
    let topic = Topic::of_password(candidate.account.password.as_deref());
    mail::tell_owner(visit, tx, &candidate.account, topic)?;
    Ok(true)
}

/// Back to the sign-in form in the browser where it began: the new password is to be used once.
async fn go_on(visit: &Visit, onward: Option<Onward>, account: &Account) -> Result<Response> {
    match onward.and_then(|onward| onward.here(visit)) {
        Some(flow) => signed_out(visit, flow, account).await,
        None => mailed::done(visit, Outcome::PasswordChanged),
    }
}

/// The sign-in form of a flow, for the account whose password was changed.
pub(super) async fn signed_out(visit: &Visit, flow: Flow, account: &Account) -> Result<Response> {
    match Journey::of(visit, flow).await {
        Ok(journey) => journey.sign_in_page(&Attempt {
            username: account.email.as_deref(),
            notice: Some(MessageKey::PasswordChanged),
            ..Attempt::default()
        }),
        Err(_) => mailed::done(visit, Outcome::PasswordChanged),
    }
}

/// Another link can be asked for where recovery is open; a link of an administrator may have been good where it is not.
pub(super) fn dead_link(visit: &Visit) -> Result<Response> {
    mailed::dead_link(visit, if offers::recovery(&visit.host) { FORGOT } else { START })
}

fn must_be_open(visit: &Visit) -> Result<()> {
    if offers::recovery(&visit.host) {
        Ok(())
    } else {
        Err(Error::not_found("passwords cannot be reset by mail here"))
    }
}
