//! People register themselves (OpenID Connect, Initiating User Registration): no account exists before its address is proven.

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result, Seconds, Secret};
use svc_db::{Tenant, Tx};
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::links::{self, LinkKind, NewLink};
use svc_domain::people::tenant_users::{self, Person};
use svc_http::{
    Form, HeaderMap, HostCx, IntoResponse, OauthError, Params, Response, Route, Routes, StatusCode, Uri,
};
use svc_keys::{digest, token};

use super::mailed::{self, Onward};
use super::purpose::{Purpose, wrong_form};
use crate::hosted::paths::{FORGOT, SIGN_UP};
use crate::hosted::{Visit, query_of};
use crate::pages::{Mail, MessageKey, Outcome, Page, RegisterSent, VerifyEmail};
use crate::signin::methods::password;
use crate::signin::{Draft, Journey, offers, start};

const VERIFY: &str = "/auth/verify";
/// How long an address may be confirmed.
const LIFETIME: Seconds = Seconds(24 * 3600);
/// Longest name in characters.
const LONGEST_NAME: usize = 200;

/// What the link in the mail stands for.
#[derive(Serialize, Deserialize)]
struct Pending {
    email: String,
    name: String,
    password: String,
    onward: Onward,
}

/// A registration that may be mailed.
struct Applicant {
    email: Email,
    name: String,
    password: Secret,
}

/// Registration and the confirmation of its address.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(SIGN_UP).public("the registration form", show).undocumented(),
        Route::post(SIGN_UP).public("the registration form", submit).undocumented(),
        Route::get(VERIFY).public("the link of a registration mail", ask).undocumented(),
        Route::post(VERIFY).public("confirms an address", confirm).undocumented(),
    ])
}

async fn show(host: HostCx, headers: HeaderMap, uri: Uri) -> Result<Response, OauthError> {
    let mut visit = Visit::new(host, &headers)?;
    let outcome = shown(&mut visit, &uri).await;
    Ok(visit.answer(outcome))
}

async fn shown(visit: &mut Visit, uri: &Uri) -> Result<Response> {
    must_be_open(visit)?;
    let query = query_of(uri)?;
    Journey::open(visit, query.one("flow")).await?.sign_up_page(&Draft::default())
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
    let journey = Journey::open(visit, form.one("flow")).await?;
    let again = |error, status| {
        let (email, name) = (form.one("email").unwrap_or_default(), form.one("name").unwrap_or_default());
        journey.sign_up_page(&Draft { email, name, error: Some(error), status })
    };
    let applicant = match applicant(&form) {
        Ok(applicant) => applicant,
        Err(error) => return again(error, StatusCode::OK),
    };
    if let Some(error) = mailed::too_many(journey.visit, "register").await {
        return again(error, StatusCode::TOO_MANY_REQUESTS);
    }
    mail(&journey, &applicant).await?;
    let signin_url = journey.sign_in_url()?;
    let sent = RegisterSent { email: applicant.email.as_str(), signin_url: Some(&signin_url) };
    journey.visit.page(&Page::RegisterSent(sent))
}

/// What the form says, or what is wrong with it.
fn applicant(form: &Params) -> Result<Applicant, MessageKey> {
    let email = form.one("email").and_then(|text| Email::parse(text).ok()).ok_or(MessageKey::EmailInvalid)?;
    let name = form.one("name").map(str::trim).unwrap_or_default();
    let is_name =
        !name.is_empty() && name.chars().count() <= LONGEST_NAME && !name.chars().any(char::is_control);
    if !is_name {
        return Err(MessageKey::NameMissing);
    }
    let password = password::typed(form);
    match password::fault(&password, &[email.as_str(), name]) {
        Some(fault) => Err(fault),
        None => Ok(Applicant { email, name: name.to_owned(), password }),
    }
}

/// Sends the link; whoever owns an account already is told so instead. The page after it is the same, and so is the
/// expensive part of the work.
async fn mail(journey: &Journey<'_>, applicant: &Applicant) -> Result<()> {
    let visit = journey.visit;
    let cx = visit.cx();
    let pool = &visit.host.app.services.passwords;
    let password = pool.hash(&applicant.password, &*cx.entropy).await?;
    let secret = token(&*cx.entropy);
    let name = Some(applicant.name.as_str());
    let url = mailed::link(visit, VERIFY, &secret);
    let welcome = mailed::written(visit, &Mail::VerifyEmail { name, url: &url, expires: LIFETIME })?;
    let forgot = format!("{}{}", visit.host.origin(), FORGOT);
    let known = mailed::written(visit, &Mail::AccountExists { name: None, url: &forgot })?;
    let mut tx = visit.host.begin().await?;
    let text = if accounts::find_by_email(&mut tx, &applicant.email).await?.is_some() {
        known
    } else {
        let payload = Pending {
            email: applicant.email.as_str().to_owned(),
            name: applicant.name.clone(),
            password,
            onward: Onward::new(visit, journey.flow.clone()),
        };
        let kind = LinkKind::VerifyEmail;
        let new =
            NewLink { digest: digest(&secret), kind, account: None, payload: &payload, lifetime: LIFETIME };
        links::create(&mut tx, cx, new).await?;
        welcome
    };
    mailed::send(visit, &mut tx, applicant.email.as_str(), text).await?;
    tx.commit().await
}

async fn ask(host: HostCx, headers: HeaderMap, uri: Uri) -> Result<Response, OauthError> {
    let visit = Visit::new(host, &headers)?;
    let outcome = asked(&visit, &uri).await;
    Ok(visit.answer(outcome))
}

/// Shows the button that confirms; opening the link changes nothing.
async fn asked(visit: &Visit, uri: &Uri) -> Result<Response> {
    let query = query_of(uri)?;
    let secret = query.one("token").unwrap_or_default();
    let Some(link) = mailed::peek::<Pending>(visit, secret, LinkKind::VerifyEmail).await? else {
        return mailed::dead_link(visit);
    };
    let flow = visit.seal(&Purpose::VerifyEmail(secret.to_owned()))?;
    let page = Page::VerifyEmail(VerifyEmail { action: VERIFY, flow: &flow, email: &link.payload.email });
    // Here the confirmation may go on to the application at once.
    let onward = link.payload.onward.here(visit);
    let target = onward.as_ref().map(|flow| flow.request.reply_to.redirect_uri());
    visit.page_as(StatusCode::OK, &page, target)
}

async fn confirm(
    host: HostCx,
    headers: HeaderMap,
    form: Result<Form, OauthError>,
) -> Result<Response, OauthError> {
    let visit = Visit::new(host, &headers)?;
    let outcome = confirmed(&visit, form).await;
    Ok(visit.answer(outcome))
}

async fn confirmed(visit: &Visit, form: Result<Form, OauthError>) -> Result<Response> {
    let form = visit.own_form(form)?;
    let Purpose::VerifyEmail(secret) = visit.open(form.one("flow"))? else {
        return Err(wrong_form());
    };
    let Some(link) = mailed::peek::<Pending>(visit, &secret, LinkKind::VerifyEmail).await? else {
        return mailed::dead_link(visit);
    };
    // Read before the transaction begins, which holds a connection of its own.
    let journey = match link.payload.onward.here(visit) {
        Some(flow) => Journey::of(visit, flow).await.ok(),
        None => None,
    };
    let mut tx = visit.host.begin().await?;
    let Some(person) = created(visit, &mut tx, &secret).await? else {
        tx.commit().await?;
        return mailed::dead_link(visit);
    };
    let Some(mut journey) = journey else {
        tx.commit().await?;
        return mailed::done(visit, Outcome::EmailVerified);
    };
    let (session, cookie) = start(visit, &mut tx, &person, &password::METHOD).await?;
    journey.flow = journey.flow.signed_in(session.id, visit.cx().now);
    let next = journey.advance(&mut tx, Some(&session), None).await?;
    tx.commit().await?;
    Ok((cookie, journey.show(next, Some(&session))?).into_response())
}

/// Spends the link; nobody is created if it was spent before, or the address has found an account meanwhile.
async fn created(visit: &Visit, tx: &mut Tx<Tenant>, secret: &str) -> Result<Option<Person>> {
    let cx = visit.cx();
    let link = links::spend::<Pending>(tx, cx, digest(secret), LinkKind::VerifyEmail).await?;
    let Some(Pending { email, name, password, .. }) = link.map(|link| link.payload) else { return Ok(None) };
    let email = Email::parse(&email)?;
    if accounts::find_by_email(tx, &email).await?.is_some() {
        return Ok(None);
    }
    let profile = Profile { name: Some(name), ..Profile::default() };
    let new = NewAccount { email: Some(email), email_verified: true, password: Some(password), profile };
    let account = accounts::create(tx, cx, &new).await?;
    let id = tenant_users::create(tx, cx, account, None, &[]).await?;
    tenant_users::find(tx, id).await
}

fn must_be_open(visit: &Visit) -> Result<()> {
    if offers::sign_up(&visit.host) { Ok(()) } else { Err(Error::not_found("registration is not open here")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(email: &str, name: &str, password: &str) -> Option<MessageKey> {
        applicant(&[("email", email), ("name", name), ("password", password)].into_iter().collect()).err()
    }

    #[test]
    fn an_application_needs_address_name_and_a_good_password() {
        let good = "correct horse battery staple";
        assert_eq!(fault("ada@example.com", "Ada", good), None);
        for bad in ["", "ada", "ada@example.com\r\nBcc: x@y.z", "ａda@example.com", "a@b"] {
            assert_eq!(fault(bad, "Ada", good), Some(MessageKey::EmailInvalid), "{bad:?}");
        }
        for bad in ["", "  ", "A\nB", &"x".repeat(201)] {
            assert_eq!(fault("ada@example.com", bad, good), Some(MessageKey::NameMissing), "{bad:?}");
        }
        assert_eq!(fault("ada@example.com", "Ada", "ada@example.com"), Some(MessageKey::PasswordTooCommon));
    }
}
