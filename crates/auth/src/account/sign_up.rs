//! People register themselves (OpenID Connect, Initiating User Registration). Nothing counts that was typed before the
//! address is proven: name and password are chosen behind the mailed link, by the person who opens it.
//!
//! Where the address belongs to an account already, the link signs in and joins the tenant.

use svc_core::{Cx, Error, Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::accounts::{self, Email};
use svc_domain::people::changes;
use svc_domain::people::intake::Answers;
use svc_domain::people::links::{self, Link, LinkKind, NewLink};
use svc_domain::people::tenant_users::{self, Person};
use svc_http::{Params, Response, Route, Routes, StatusCode, TenantCx};
use svc_keys::{digest, token};

use super::at_sign_up::AtSignUp;
use super::claim::{Called, Chosen, Claim, is_name, proven};
use super::code_sign_up;
use super::first_passkey;
use super::mailed;
use super::purpose::{FirstPasskey, Purpose, wrong_form};
use super::written::{self, Sender};
use crate::hosted::paths::{SIGN_UP, START};
use crate::hosted::{Visit, captcha, mail};
use crate::pages::{Done, Form, Intake, Mail, MessageKey, Outcome, RegisterSent, Topic, VerifyEmail};
use crate::signin::methods::passkey::shown;
use crate::signin::methods::{Method, Proof, Shown, magic_link, passkey, password};
use crate::signin::sign_up_letter::{Pending, VERIFY, send};
use crate::signin::{
    Attempt, Beginnings, Draft, Errand, Journey, Onward, SignIn, Way, guest, guest_in, offers,
    pre_registration, to_guest,
};

const PASSKEY: &str = "/auth/verify/passkey";

/// Registration and the confirmation of its address.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(SIGN_UP).page("the registration form", show),
        Route::post(SIGN_UP).form("the registration form", submit),
        Route::get(VERIFY).page("the link of a registration mail", ask),
        Route::post(VERIFY).form("confirms an address", confirm),
        Route::post(PASSKEY).form("the challenge for a passkey instead of a password", challenge),
    ])
}

/// What a live link leads to.
struct Opened {
    pending: Pending,
    claim: Claim,
    /// By what the account can be entered.
    by: Beginnings,
}

async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    offers::must_have_sign_up(&visit.host)?;
    let journey = Journey::open(visit, query.one("flow")).await?;
    if !journey.registers() {
        return journey.sign_in_page(&Attempt::default());
    }
    let email = journey.flow.typed.as_deref().unwrap_or_default();
    let notice = to_guest(guest(journey.visit).await?.as_ref());
    journey.sign_up_page(&Draft { email, notice, ..Draft::default() })
}

async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    offers::must_have_sign_up(&visit.host)?;
    let journey = Journey::open(visit, form.one("flow")).await?;
    if !journey.registers() {
        return journey.sign_in_page(&Attempt::default());
    }
    let typed = form.one("email").unwrap_or_default();
    let notice = to_guest(guest(journey.visit).await?.as_ref());
    let again =
        |error, status| journey.sign_up_page(&Draft { email: typed, error: Some(error), notice, status });
    let Ok(email) = Email::parse(typed) else { return again(MessageKey::EmailInvalid, StatusCode::OK) };
    if let Some(error) = captcha::judge_again(journey.visit, &form).await?.fault() {
        return again(error, StatusCode::OK);
    }
    if let Some(error) = mail::too_many(journey.visit, "register").await {
        return again(error, StatusCode::TOO_MANY_REQUESTS);
    }
    if let Some((error, status)) =
        pre_registration::refusal(&journey.visit.host, (&journey).into(), &email).await?
    {
        return again(error, status);
    }
    if form.one("by") == Some("code") && journey.registers_by_code() {
        return code_sign_up::ask(&journey, &email).await;
    }
    send(journey.visit, &email, Some(&journey.flow)).await?;
    let form = Form::new(SIGN_UP, journey.visit.seal(&journey.flow)?);
    let again_url = Some(journey.address_with(SIGN_UP, email.as_str())?.into());
    let signin_url = Some(journey.sign_in_url()?.into());
    let sent = RegisterSent { form, email: email.as_str().into(), has_account: false, again_url, signin_url };
    journey.visit.page(&sent)
}

/// Shows the form that confirms; opening the link changes nothing.
async fn ask(visit: &mut Visit, query: Params) -> Result<Response> {
    let secret = query.one("token").unwrap_or_default();
    match opened(visit, secret).await? {
        Some(opened) => {
            let asked = asked(visit, &opened).await?;
            page(visit, secret, &opened, ("", None, asked.part(None)))
        }
        None => dead_link(visit, secret).await,
    }
}

/// What the person is asked for in addition to name and password.
async fn asked<'a>(visit: &'a Visit, Opened { pending, claim, .. }: &Opened) -> Result<AtSignUp<'a>> {
    AtSignUp::of(visit, claim, pending.onward.as_ref().map(Onward::application)).await
}

/// The page of a link that opens nothing here; that of a guest opens in the browser of the guest alone, because another browser may be
/// that of a person to whom an attacker has had it sent.
async fn dead_link(visit: &Visit, secret: &str) -> Result<Response> {
    let link = mailed::peek::<Pending>(visit, secret, LinkKind::VerifyEmail).await?;
    let guest = match link.and_then(|link| link.payload.guest) {
        Some(guest) => tenant_users::find(&mut visit.host.read().await?, guest).await?,
        None => None,
    };
    if guest.is_some_and(|guest| guest.is_guest() && guest.may_sign_in()) {
        let page = Done { outcome: Outcome::GuestElsewhere, continue_url: START.into() };
        return visit.page_as(StatusCode::OK, &page, None);
    }
    mailed::dead_link(visit, START)
}

async fn opened(visit: &mut Visit, secret: &str) -> Result<Option<Opened>> {
    let Some(link) = mailed::peek::<Pending>(visit, secret, LinkKind::VerifyEmail).await? else {
        return Ok(None);
    };
    if let Some(onward) = &link.payload.onward {
        onward.speak_and_dress(visit).await?;
    }
    let by = link.payload.beginnings(&visit.host).await?;
    let claim = claim(visit, &mut visit.host.read().await?, &link).await?;
    Ok(claim.map(|claim| Opened { pending: link.payload, claim, by }))
}

/// `None` where the address has found an account, or has left it, since the mail was sent; of a link that would sign in also where
/// the owner's credentials have changed since, with which everything ends that was under way.
async fn claim(visit: &Visit, tx: &mut Tx<Tenant>, link: &Link<Pending>) -> Result<Option<Claim>> {
    let pending = &link.payload;
    let holder = accounts::find_by_email(tx, &Email::parse(&pending.email)?).await?;
    Ok(match (link.account, holder) {
        (None, None) => match pending.guest {
            None => Some(Claim::New),
            Some(id) => {
                let guest = guest_in(visit, tx).await?.filter(|guest| guest.id == id);
                guest.map(|guest| Claim::Guest(Box::new(guest)))
            }
        },
        (Some(id), Some(holder)) if holder.id == id && holder.is_active => {
            let signs_in = pending.onward.is_some();
            let is_older = signs_in && link.created_at < holder.credentials_changed_at;
            Some(Claim::of(tx, holder).await?).filter(|claim| claim.is_first() || !is_older)
        }
        _ => None,
    })
}

fn page(
    visit: &Visit,
    secret: &str,
    Opened { pending, claim, by }: &Opened,
    (name, error, intake): (&str, Option<MessageKey>, Intake),
) -> Result<Response> {
    let flow = visit.seal(&Purpose::VerifyEmail(secret.to_owned()))?;
    let page = VerifyEmail {
        form: Form::new(VERIFY, flow).with(error),
        email: (&pending.email).into(),
        asks_name: claim.asks_name(),
        asks_password: claim.asks_password(*by),
        name: name.into(),
        min_length: password::shortest(),
        intake,
        passkey_url: claim.takes_passkey(*by, visit.cx().id()).map(|_| PASSKEY.into()),
        is_passkey_alone: claim.is_passkey_alone(*by),
    };
    // Here the confirmation may go on to the application at once.
    let onward = pending.onward.as_ref();
    visit.page_as(StatusCode::OK, &page, onward.and_then(|onward| onward.redirect_uri(visit)))
}

/// The challenge for a passkey instead of a password.
async fn challenge(visit: &mut Visit, form: Params) -> Result<Response> {
    let purpose = visit.open(form.one("flow"))?;
    let (Purpose::VerifyEmail(secret) | Purpose::VerifyWithPasskey(FirstPasskey { secret, .. })) = purpose
    else {
        return Err(wrong_form());
    };
    let opened = opened(visit, &secret).await?;
    let opened = opened.as_ref().map(|opened| (&opened.claim, opened.by, opened.pending.email.as_str()));
    first_passkey::ask(visit, (Purpose::VerifyWithPasskey, secret), opened, &form)
}

async fn confirm(visit: &mut Visit, form: Params) -> Result<Response> {
    match visit.open(form.one("flow"))? {
        Purpose::VerifyEmail(secret) => confirm_with_form(visit, secret, &form).await,
        Purpose::VerifyWithPasskey(first) => confirm_with_passkey(visit, first, &form).await,
        _ => Err(wrong_form()),
    }
}

async fn confirm_with_passkey(visit: &mut Visit, first: FirstPasskey, form: &Params) -> Result<Response> {
    let is_same =
        |opened: &Opened| opened.claim.takes_passkey(opened.by, first.account) == Some(first.account);
    let Some(opened) = opened(visit, &first.secret).await?.filter(is_same) else {
        return dead_link(visit, &first.secret).await;
    };
    let name = form.one("name").map(str::trim).unwrap_or_default();
    let asked = asked(visit, &opened).await?;
    let again = |error| page(visit, &first.secret, &opened, (name, Some(error), asked.part(None)));
    if opened.claim.asks_name() && !is_name(name) {
        return again(MessageKey::NameMissing);
    }
    let answer = form.one("answer").unwrap_or_default();
    let created = match first_passkey::made(&visit.host, &first.creation, answer).await? {
        Ok(created) => created,
        Err(denied) => return again(denied.message()),
    };
    let shown = shown(created.is_unlocked(), created.passkey());
    let chosen = Chosen::Passkey(first.account, Box::new(created));
    let (secret, name) = (first.secret.clone(), name.to_owned());
    // The form of a passkey has nothing else: what is asked for besides comes behind the sign-in.
    let by = (&passkey::METHOD, shown);
    finish(visit, &secret, (opened.pending, name, chosen), (by, (&asked, &Answers::default()))).await
}

async fn confirm_with_form(visit: &mut Visit, secret: String, form: &Params) -> Result<Response> {
    let Some(opened) = opened(visit, &secret).await? else {
        return dead_link(visit, &secret).await;
    };
    let asked = asked(visit, &opened).await?;
    let name = form.one("name").unwrap_or_default();
    let again = |error| page(visit, &secret, &opened, (name, Some(error), asked.part(Some(form))));
    let Opened { pending, claim, by } = &opened;
    let choice = match claim.choice(visit, *by, (&pending.email, form)).await {
        Ok(choice) => choice,
        Err(error) => return again(error),
    };
    let Some(answers) = asked.answers(form) else { return again(MessageKey::AnswersIncomplete) };
    let chosen = claim.chosen(visit, *by, &choice.password).await?;
    let mailed = by.mail.unwrap_or(&magic_link::METHOD);
    let method = if claim.asks_password(*by) { &password::METHOD } else { mailed };
    let by = (method, Shown { factor: method.factor, amr: method.amr });
    finish(visit, &secret, (opened.pending, choice.name, chosen), (by, (&asked, &answers))).await
}

/// What was asked for, and what the person has answered.
type Answered<'a> = (&'a AtSignUp<'a>, &'a Answers<'a>);

/// Spends the link, and goes on where the person was, with what the person has shown by it: that may not be enough.
async fn finish(
    visit: &Visit,
    secret: &str,
    (pending, name, chosen): (Pending, String, Chosen),
    ((method, shown), answered): ((&'static Method, Shown), Answered<'_>),
) -> Result<Response> {
    // Read before the transaction begins, which holds a connection of its own.
    let journey = match pending.onward.and_then(|onward| onward.here(visit)) {
        Some(flow) => Journey::of(visit, flow).await.ok(),
        None => None,
    };
    let mut tx = visit.host.begin().await?;
    let begins_session = journey.is_some();
    let whose = (secret, begins_session);
    let Some((person, is_guest)) = spent(visit, &mut tx, whose, (name, chosen), answered).await? else {
        tx.commit().await?;
        return mailed::dead_link(visit, START);
    };
    let way = match journey {
        Some(journey) => Way::Flow(Box::new(journey)),
        // In this browser, because that of the guest alone gets here.
        None if is_guest => Way::Errand(visit, Errand::Account(String::new())),
        None => {
            tx.commit().await?;
            return mailed::done(visit, Outcome::EmailVerified);
        }
    };
    let account = accounts::find(&mut tx, person.account_id).await?;
    let account = account.ok_or_else(|| Error::internal("an account vanished in its own transaction"))?;
    tx.commit().await?;
    let proof = Proof { shown: Some(shown), ..Proof::of(account) };
    Box::pin(SignIn::new(way).proven(method, &proof)).await
}

/// Spends the link, and makes the account and the membership that are not there yet; also returns whether the person was a guest. `None` if it was spent before, if the
/// address changed hands meanwhile, or if the person may not enter here.
async fn spent(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (secret, begins_session): (&str, bool),
    (name, chosen): (String, Chosen),
    (asked, answers): Answered<'_>,
) -> Result<Option<(Person, bool)>> {
    let cx = visit.cx();
    let link = links::spend::<Pending>(tx, cx, digest(secret), LinkKind::VerifyEmail).await?;
    let Some(link) = link else { return Ok(None) };
    let Some(claim) = claim(visit, tx, &link).await? else { return Ok(None) };
    let is_guest = matches!(claim, Claim::Guest(_));
    let email = Email::parse(&link.payload.email)?;
    let called = Called::new(visit, name);
    let at = if begins_session { cx.clone() } else { claim.once_held(visit, tx).await? };
    let Some(account) = proven(tx, &at, claim, (email, called, chosen)).await? else { return Ok(None) };
    let Some(candidate) = changes::candidate(tx, account).await? else { return Ok(None) };
    let person = match candidate.member {
        Some(member) => member_now(tx, cx, member).await?,
        None if offers::sign_up(&visit.host) => Some(changes::join(tx, cx, account).await?),
        None => None,
    };
    if let Some(person) = &person {
        asked.keep(tx, person, answers).await?;
    }
    Ok(person.map(|person| (person, is_guest)))
}

/// The member, who accepts with the link the invitation, or the membership that an import made.
pub(super) async fn member_now(tx: &mut Tx<Tenant>, cx: &Cx, member: Person) -> Result<Option<Person>> {
    let member = changes::accepted(tx, cx, member).await?;
    Ok(Some(member).filter(Person::may_sign_in))
}

/// Mails an invited person the link that accepts the invitation.
pub(super) async fn invite(caller: &TenantCx, tx: &mut Tx<Tenant>, person: &Person) -> Result<()> {
    let email = written::address(person)?;
    let secret = token(&*caller.entropy);
    let hours = caller.tenant.settings.limits.invitations.lifetime_hours(&caller.app.config);
    let lifetime = Seconds::from_hours(hours);
    let payload = Pending { email: email.to_owned(), onward: None, guest: None };
    let (kind, account) = (LinkKind::VerifyEmail, Some(person.account_id));
    let new = NewLink { digest: digest(&secret), kind, account, payload: &payload, lifetime };
    links::create(tx, caller, new).await?;
    record(tx, caller, Meaning::done(Action::TenantUserInvited, person.id));
    let url = Sender::from(caller).link(VERIFY, &secret);
    let mail = Mail {
        topic: Topic::Invitation,
        name: None,
        organization: None,
        url: &url,
        code: None,
        time: Some(lifetime),
    };
    written::queue(caller, tx, person, &mail)
}
