//! People register themselves by a mailed code, without a password (NIST SP 800-63B §3.1.3.1). Nothing is kept before the address is
//! proven, and the pages are the same whether it belongs to an account or not.
//!
//! Where it does, the code signs in; where no code opens that account, the mail says that there is one, as with a link.

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, AppId, Class, Error, Result, Seconds, Timestamp};
use svc_db::coordination::Once;
use svc_db::{Tenant, Tx};
use svc_domain::coordination::attempts;
use svc_domain::log::{Action, Meaning, record, target_of};
use svc_domain::people::accounts::{self, Account, Email};
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::intake::Answers;
use svc_http::{Params, Response, Route, Routes, StatusCode};
use svc_keys::token;

use super::at_sign_up::AtSignUp;
use super::claim::{Called, Chosen, Claim, is_name, proven};
use crate::hosted::paths::SIGN_UP;
use crate::hosted::{Carried, Visit, captcha, mail};
use crate::pages::{Form, Intake, Mail, MessageKey, RegisterCode, RegisterName, Topic};
use crate::signin::code_guess::CodeGuess;
use crate::signin::methods::email_otp::{self, owner};
use crate::signin::methods::{Proof, Verdict};
use crate::signin::sent_code::SentCode;
use crate::signin::{
    Attempt, Draft, Flow, Journey, SignIn, Way, guest_in, offers, pre_registration, sign_up_letter,
};

const CODE: &str = "/auth/register/code";
const NAME: &str = "/auth/register/name";
/// Longer than a sign-in may take: a proven address counts once.
const REMEMBERED: Seconds = Seconds(3600);

/// A registration that waits for its code.
#[derive(Serialize, Deserialize)]
struct PendingSignUp {
    flow: Flow,
    sent: SentCode,
    /// The account that the code was to open; of an address without one the id of none, so that it looks the same.
    #[serde(default)]
    account: Option<AccountId>,
}

/// A code on its way, and the account that it is to open.
type Mailed = (SentCode, Option<AccountId>);

/// A registration whose address is proven.
#[derive(Serialize, Deserialize)]
struct ProvenSignUp {
    flow: Flow,
    email: String,
    /// Names the proof where its use is noted.
    id: String,
    at: Timestamp,
}

impl Carried for PendingSignUp {
    const LABEL: &'static str = "registration by a code";

    fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp {
        now + login
    }

    fn app(&self) -> Option<AppId> {
        self.flow.app()
    }
}

impl Carried for ProvenSignUp {
    const LABEL: &'static str = "registration with a proven address";

    fn expires_at(&self, _: Timestamp, login: Seconds) -> Timestamp {
        self.at + login
    }

    fn app(&self) -> Option<AppId> {
        self.flow.app()
    }
}

/// The code, and then the name.
pub fn routes() -> Routes {
    Routes::new([
        Route::post(CODE).form("the code by which a person registers", submit),
        Route::post(NAME).form("the name of a person who has proven an address by a code", finish),
    ])
}

/// Sends a code, and asks for it.
pub(super) async fn ask(journey: &Journey<'_>, email: &Email) -> Result<Response> {
    let mailed = send(journey, email).await?;
    page(journey, mailed, None, StatusCode::OK)
}

fn page(
    journey: &Journey<'_>,
    (sent, account): Mailed,
    error: Option<MessageKey>,
    status: StatusCode,
) -> Result<Response> {
    let email = sent.to.clone();
    let flow = journey.visit.seal(&PendingSignUp { flow: journey.flow.clone(), sent, account })?;
    let page = RegisterCode {
        form: Form::new(CODE, flow).with(error).asking(captcha::widget(journey.visit)),
        again_url: Some(journey.address_with(SIGN_UP, &email)?.into()),
        email: email.into(),
        signin_url: Some(journey.sign_in_url()?.into()),
    };
    journey.page(status, &page)
}

/// Makes a code, and mails it. To the owner of an account that no code opens goes what a registration by link would send.
async fn send(journey: &Journey<'_>, email: &Email) -> Result<Mailed> {
    let visit = journey.visit;
    mail::must_be_sealable(visit)?;
    let present = accounts::find_by_email(&mut visit.host.read().await?, email).await?;
    let candidate = owner(visit, email).await?;
    let opened: AccountId =
        candidate.as_ref().map_or_else(|| visit.cx().id(), |candidate| candidate.account.id);
    let (sent, code) = SentCode::new(visit.cx(), email.as_str(), email_otp::terms(visit));
    let may_be_sent = mail::may_be_sent(visit, email.as_str(), present.as_ref()).await;
    if candidate.is_none() && present.is_some() {
        if may_be_sent {
            sign_up_letter::send_to(visit, email, present.as_ref(), Some(&journey.flow)).await?;
        }
        return Ok((sent.where_sent(visit.cx(), false), Some(opened)));
    }
    let text = mail::written(visit, present.as_ref(), &letter(visit, present.as_ref(), &code))?;
    let target = target_of(candidate.as_ref().and_then(Candidate::member_id));
    let mut tx = visit.host.begin().await?;
    record(&mut tx, visit.cx(), Meaning::done(Action::SignInCodeRequested, target));
    if may_be_sent {
        mail::queue(visit, &mut tx, email.as_str(), text)?;
    }
    tx.commit().await?;
    Ok((sent.where_sent(visit.cx(), may_be_sent), Some(opened)))
}

/// The mail with the code, which says what the code does.
fn letter<'a>(visit: &'a Visit, account: Option<&'a Account>, code: &'a str) -> Mail<'a> {
    Mail {
        topic: if account.is_some() { Topic::SignInCode } else { Topic::RegistrationCode },
        name: account.and_then(|account| account.profile.name.as_deref()),
        organization: None,
        url: visit.host.origin(),
        code: Some(code),
        time: Some(email_otp::terms(visit).lifetime),
    }
}

async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    offers::must_have_sign_up(&visit.host)?;
    let PendingSignUp { flow, sent, account } = visit.open(form.one("flow"))?;
    let journey = opened(visit, flow).await?;
    if form.one("begin").is_some() {
        again(&journey, (sent, account), &form).await
    } else {
        judge(journey, (sent, account), &form).await
    }
}

/// The flow, where people may register by a code on it.
async fn opened(visit: &mut Visit, flow: Flow) -> Result<Journey<'_>> {
    visit.speak(flow.request.ui_locales.as_deref())?;
    let journey = Journey::of(visit, flow).await?;
    if journey.registers_by_code() {
        Ok(journey)
    } else {
        Err(Error::not_found("people do not register by mailed codes here"))
    }
}

/// Sends a new code, which ends the one that it replaces; under the same conditions as the first.
async fn again(journey: &Journey<'_>, earlier: Mailed, form: &Params) -> Result<Response> {
    let (visit, email) = (journey.visit, Email::parse(&earlier.0.to)?);
    if let Some(error) = captcha::judge_again(visit, form).await?.fault() {
        return page(journey, earlier, Some(error), StatusCode::OK);
    }
    if let Some(error) = mail::too_many(visit, "register").await {
        return page(journey, earlier, Some(error), StatusCode::TOO_MANY_REQUESTS);
    }
    if let Some((error, status)) = pre_registration::refusal(&visit.host, journey.into(), &email).await? {
        let draft = Draft { email: email.as_str(), error: Some(error), status, ..Draft::default() };
        return journey.sign_up_page(&draft);
    }
    earlier.0.spend(&visit.host).await?;
    ask(journey, &email).await
}

/// Judges the code: it signs the owner of an account in, and lets a person without one go on.
async fn judge(journey: Journey<'_>, (sent, account): Mailed, form: &Params) -> Result<Response> {
    let (visit, email) = (journey.visit, Email::parse(&sent.to)?);
    let code = form.one("code").map(str::trim).unwrap_or_default();
    if code.is_empty() {
        // That is no guess.
        return page(&journey, (sent, account), Some(MessageKey::MailCodeWrong), StatusCode::OK);
    }
    let present = accounts::find_by_email(&mut visit.host.read().await?, &email).await?;
    let candidate = owner(visit, &email).await?;
    let guess = CodeGuess::count(visit, (&sent, email_otp::guessed(visit)), candidate.as_ref()).await?;
    let is_right = sent.is(code);
    let may_count = is_right && guess.may_be_judged() && visit.cx().now < sent.until;
    let is_of_someone = match &candidate {
        // A code to a newcomer serves the account that they have made since; one to an account ends with the credentials of its time.
        Some(Candidate { account: own, .. }) => account != Some(own.id) || sent.is_since_change(own),
        None => present.is_none(),
    };
    if !(may_count && is_of_someone && sent.spend(&visit.host).await?) {
        let (status, error) = match guess.refuse().await? {
            Verdict::Refused(status, error) => (status, error),
            _ => (StatusCode::OK, MessageKey::MailCodeWrong),
        };
        return page(&journey, (sent, account), Some(error), status);
    }
    let counter = guess.counter();
    if let Some(Candidate { account, .. }) = candidate.clone() {
        let proof = Proof { counters: vec![counter], ..email_otp::proof(account) };
        return Box::pin(SignIn::new(Way::Flow(Box::new(journey))).proven(&email_otp::METHOD, &proof)).await;
    }
    let mut tx = visit.host.begin().await?;
    attempts::clear(&mut tx, counter);
    tx.commit().await?;
    let owned = ProvenSignUp {
        flow: journey.flow.clone(),
        email: sent.to.clone(),
        id: token(&*visit.cx().entropy),
        at: visit.cx().now,
    };
    let asked = asked(&journey).await?;
    name_page(&journey, &owned, ("", None, asked.part(None)))
}

/// What the person is asked for in addition to the name.
async fn asked<'a>(journey: &Journey<'a>) -> Result<AtSignUp<'a>> {
    AtSignUp::of(journey.visit, &Claim::New, Some(journey.app.id)).await
}

fn name_page(
    journey: &Journey<'_>,
    owned: &ProvenSignUp,
    (name, error, intake): (&str, Option<MessageKey>, Intake),
) -> Result<Response> {
    let form = Form::new(NAME, journey.visit.seal(owned)?).with(error);
    let page = RegisterName { form, email: owned.email.as_str().into(), name: name.into(), intake };
    journey.page(StatusCode::OK, &page)
}

async fn finish(visit: &mut Visit, form: Params) -> Result<Response> {
    offers::must_have_sign_up(&visit.host)?;
    let owned: ProvenSignUp = visit.open(form.one("flow"))?;
    let journey = opened(visit, owned.flow.clone()).await?;
    let name = form.one("name").map(str::trim).unwrap_or_default();
    let asked = asked(&journey).await?;
    let again = |error| name_page(&journey, &owned, (name, Some(error), asked.part(Some(&form))));
    if !is_name(name) {
        return again(MessageKey::NameMissing);
    }
    let Some(answers) = asked.answers(&form) else { return again(MessageKey::AnswersIncomplete) };
    let (visit, now) = (journey.visit, journey.visit.cx().now);
    let once = Once::between(format!("registered by code {}", owned.id), owned.at, now + REMEMBERED);
    let account = if visit.host.app.coordination.note(&once, now).await? {
        registered(visit, (&owned, name), (&asked, &answers)).await?
    } else {
        None
    };
    let Some(account) = account else {
        return journey
            .sign_in_page(&Attempt { notice: Some(MessageKey::SignInAgain), ..Attempt::default() });
    };
    Box::pin(SignIn::new(Way::Flow(Box::new(journey))).proven(&email_otp::METHOD, &Proof::of(account))).await
}

/// Makes the account and its membership, or lets the guest of this browser keep theirs. `None` where the address has found an account
/// meanwhile, in another tab or another browser.
async fn registered(
    visit: &Visit,
    whose: (&ProvenSignUp, &str),
    answered: (&AtSignUp<'_>, &Answers<'_>),
) -> Result<Option<Account>> {
    let mut tx = visit.host.begin().await?;
    let account = match made(visit, &mut tx, whose, answered).await {
        Err(error) if error.class() == Class::Conflict => None,
        made => made?,
    };
    match account {
        Some(_) => tx.commit().await?,
        None => tx.rollback().await?,
    }
    Ok(account)
}

async fn made(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (owned, name): (&ProvenSignUp, &str),
    (asked, answers): (&AtSignUp<'_>, &Answers<'_>),
) -> Result<Option<Account>> {
    let (cx, email) = (visit.cx(), Email::parse(&owned.email)?);
    if accounts::find_by_email(tx, &email).await?.is_some() || !offers::sign_up(&visit.host) {
        return Ok(None);
    }
    let guest = guest_in(visit, tx).await?;
    let claim = guest.map_or(Claim::New, |guest| Claim::Guest(Box::new(guest)));
    let chosen = (email, Called::new(visit, name.to_owned()), Chosen::Codes);
    let Some(account) = proven(tx, cx, claim, chosen).await? else { return Ok(None) };
    let Some(candidate) = changes::candidate(tx, account).await? else { return Ok(None) };
    let person = match candidate.member {
        Some(member) => member,
        None => changes::join(tx, cx, account).await?,
    };
    asked.keep(tx, &person, answers).await?;
    Ok(Some(candidate.account))
}
