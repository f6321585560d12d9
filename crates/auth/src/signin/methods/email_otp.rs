//! Sign-in by a code sent by mail: an address is a first factor and never the second (NIST SP 800-63B §3.1.3.1). The page, the
//! limits and the work are the same whether an account has the address or not.

use serde::Deserialize as _;
use serde_json::{Value, json};
use svc_core::capability::Capability;
use svc_core::{OrInternal as _, Result};
use svc_domain::log::{Action, Meaning, record, target_of};
use svc_domain::people::accounts::{Account, Email};
use svc_domain::people::changes::{self, Candidate};
use svc_http::StatusCode;

use super::method::{Beginning, Begun, Effect, Judging, Method, Needs, Proof, Turn, Verdict, may_enter};
use crate::hosted::{Visit, captcha, mail};
use crate::pages::{Mail, MessageKey, Topic};
use crate::signin::code_guess::{CodeGuess, Guessed};
use crate::signin::offers;
use crate::signin::progress::Factor;
use crate::signin::sent_code::{SentCode, Terms};

const ID: &str = "email_otp";

/// A code sent to an address.
pub const METHOD: Method = Method {
    id: ID,
    factor: Factor::Mailbox,
    amr: &["otp"],
    is_offered: |host| host.offers(&Capability::EMAIL_OTP),
    is_first: true,
    recovers: false,
    needs: Needs::Nothing,
    begin: Some(|turn| -> Beginning<'_> { Box::pin(begin(turn)) }),
    finish: |turn| -> Judging<'_> { Box::pin(judge(turn)) },
    partial: "_email_otp.html",
    lists: None,
};

/// What a code is like, and what it bears.
pub fn terms(visit: &Visit) -> Terms {
    let email_otp = &visit.config().email_otp;
    Terms { length: email_otp.code_length, lifetime: email_otp.lifetime_secs, most: email_otp.max_attempts }
}

/// First the form that asks for the address, then the one that asks for the code.
async fn begin(turn: Turn<'_>) -> Result<Begun> {
    let Turn { visit, memory, .. } = turn;
    let email = match address(turn, ID).await? {
        Ok(email) => email,
        Err(instead) => return Ok(instead),
    };
    if let Ok(earlier) = SentCode::deserialize(memory) {
        // A new code ends the one that it replaces.
        earlier.spend(&visit.host).await?;
    }
    let sent = send(visit, &email).await?;
    let shown = json!({ "to": sent.to });
    Ok(Begun::Ask { shown, memory: serde_json::to_value(sent).or_internal()? })
}

/// The address to which a method mails something, or what the page shows instead: the form that asks for it, or what is wrong.
pub async fn address(turn: Turn<'_>, method: &str) -> Result<std::result::Result<Email, Begun>> {
    let Turn { visit, params, .. } = turn;
    let Some(typed) = params.one("username") else {
        return Ok(Err(Begun::Ask { shown: json!({ "to": null }), memory: Value::Null }));
    };
    let Ok(email) = Email::parse(typed) else {
        return Ok(Err(Begun::Again(StatusCode::OK, MessageKey::EmailInvalid)));
    };
    if let Some(error) = captcha::judge_again(visit, params).await?.fault() {
        return Ok(Err(Begun::Again(StatusCode::OK, error)));
    }
    if let Some(error) = mail::too_many(visit, method).await {
        return Ok(Err(Begun::Again(StatusCode::TOO_MANY_REQUESTS, error)));
    }
    Ok(Ok(email))
}

/// Makes a code, and mails it where an account can be entered by it.
async fn send(visit: &Visit, email: &Email) -> Result<SentCode> {
    mail::must_be_sealable(visit)?;
    let (cx, terms) = (visit.cx(), terms(visit));
    let candidate = owner(visit, email).await?;
    let account = candidate.as_ref().map(|candidate| &candidate.account);
    let may_be_sent = mail::may_be_sent(visit, email.as_str(), account).await;
    let (sent, code) = SentCode::new(cx, email.as_str(), terms);
    let mail = Mail {
        topic: Topic::SignInCode,
        name: account.and_then(|account| account.profile.name.as_deref()),
        organization: None,
        url: visit.host.origin(),
        code: Some(&code),
        time: Some(terms.lifetime),
    };
    let text = mail::written(visit, account, &mail)?;
    let target = target_of(candidate.as_ref().and_then(Candidate::member_id));
    let mut tx = visit.host.begin().await?;
    record(&mut tx, cx, Meaning::done(Action::SignInCodeRequested, target));
    let to = account.and_then(|account| account.email.as_deref()).filter(|_| may_be_sent);
    if let Some(to) = to {
        mail::queue(visit, &mut tx, to, text)?;
    }
    tx.commit().await?;
    Ok(sent.where_sent(cx, to.is_some()))
}

/// What is guessed at.
pub fn guessed(visit: &Visit) -> Guessed {
    let Method { factor, amr, .. } = METHOD;
    Guessed { method: ID, factor, amr, terms: terms(visit), wrong: MessageKey::MailCodeWrong }
}

async fn judge(turn: Turn<'_>) -> Result<Verdict> {
    let Turn { visit, memory, params, .. } = turn;
    let Ok(sent) = SentCode::deserialize(memory) else {
        return Ok(Verdict::Refused(StatusCode::OK, MessageKey::SignInAgain));
    };
    let candidate = owner(visit, &Email::parse(&sent.to)?).await?;
    let guess = CodeGuess::count(visit, (&sent, guessed(visit)), candidate.as_ref()).await?;
    let now = visit.cx().now;
    let is_right = sent.is(params.one("code").unwrap_or_default());
    let may_count = is_right && guess.may_be_judged() && now < sent.until;
    let is_open = |candidate: &&Candidate| may_count && sent.is_since_change(&candidate.account);
    if let Some(candidate) = candidate.as_ref().filter(is_open)
        && sent.spend(&visit.host).await?
    {
        let counters = vec![guess.counter()];
        return Ok(Verdict::Proven(Box::new(Proof { counters, ..proof(candidate.account.clone()) })));
    }
    guess.refuse().await
}

/// The proof of the owner of an address. Where nothing has proven it before, the account may hold what another person has chosen, which
/// goes with the proof.
pub fn proof(account: Account) -> Proof {
    let effect = if account.email_verified { Effect::None } else { Effect::TakesOver };
    Proof { effect, ..Proof::of(account) }
}

/// The account that a code to the address opens: its owner may enter here, and has proven the address. A member may do so with this very
/// code where there are no passwords, as elsewhere by a link for a new password.
pub async fn owner(visit: &Visit, email: &Email) -> Result<Option<Candidate>> {
    let candidate = changes::candidate_named(&mut visit.host.read().await?, email.as_str()).await?;
    let is_owner = |candidate: &Candidate| {
        let account = &candidate.account;
        let has = account.email.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(email.as_str()));
        let is_proven =
            account.email_verified || (candidate.member.is_some() && !offers::password(&visit.host));
        has && account.is_active && is_proven && may_enter(&visit.host, candidate)
    };
    Ok(candidate.filter(is_owner))
}
