//! Sign-in and second factor by a code sent by text message to a number that the account has proven (NIST SP 800-63B §3.1.3.3). The
//! page, the limits and the work are the same whether an account has the number or not.

use serde::Deserialize as _;
use serde_json::{Value, json};
use svc_core::capability::Capability;
use svc_core::{OrInternal as _, Result};
use svc_domain::log::{Action, Meaning, record, target_of};
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::credentials::{Credential, Kind};
use svc_domain::people::phones::{self, PhoneNumber};
use svc_http::{HostCx, StatusCode};

use super::method::{Beginning, Begun, Effect, Judging, Method, Needs, Proof, Turn, Verdict, may_enter};
use crate::hosted::mail::language;
use crate::hosted::texts::{self, Requester};
use crate::hosted::{Device, Visit, captcha};
use crate::pages::{MessageKey, TextTopic};
use crate::signin::code_guess::{CodeGuess, Guessed};
use crate::signin::progress::Factor;
use crate::signin::second_factor::SecondGuess;
use crate::signin::sent_code::{SentCode, Terms};

const ID: &str = "sms";

/// A code sent to a number.
pub const METHOD: Method = Method {
    id: ID,
    factor: Factor::Possession,
    amr: &["sms"],
    is_offered: |host| host.offers(&Capability::SMS),
    is_first: true,
    recovers: true,
    needs: Needs::Credential(Kind::Phone),
    begin: Some(|turn| -> Beginning<'_> { Box::pin(begin(turn)) }),
    finish: |turn| -> Judging<'_> { Box::pin(judge(turn)) },
    partial: "_sms.html",
    lists: None,
};

/// What a code is like, and what it bears.
pub fn terms(host: &HostCx) -> Terms {
    let sms = &host.app.config.sms;
    Terms { length: sms.code_length, lifetime: sms.lifetime_secs, most: sms.max_attempts }
}

/// First the form that asks for the number, where it is not known, then the one that asks for the code.
async fn begin(turn: Turn<'_>) -> Result<Begun> {
    let Turn { visit, memory, params, progress, recovers, .. } = turn;
    let number = match (progress.account(), params.one("phone")) {
        (Some(account), _) => phones::of_account(&mut visit.host.read().await?, account).await?,
        (None, None) => {
            return Ok(Begun::Ask { shown: json!({ "to": null, "end": null }), memory: Value::Null });
        }
        (None, Some(typed)) => PhoneNumber::parse(typed).ok(),
    };
    let Some(number) = number else { return Ok(Begun::Again(StatusCode::OK, MessageKey::PhoneInvalid)) };
    let is_second = progress.account().is_some();
    if !is_second && let Some(error) = captcha::judge_again(visit, params).await?.fault() {
        return Ok(Begun::Again(StatusCode::OK, error));
    }
    if let Some(wait) = texts::requester_waits(&visit.host).await {
        let error = MessageKey::too_many_attempts(wait);
        return Ok(Begun::Again(StatusCode::TOO_MANY_REQUESTS, error));
    }
    if let Ok(earlier) = SentCode::deserialize(memory) {
        // A new code ends the one that it replaces.
        earlier.spend(&visit.host).await?;
    }
    // A code that is asked for by phone says what it would open.
    let topic = if recovers { TextTopic::NewPassword } else { TextTopic::SignIn };
    let sent = send(visit, (&number, topic), is_second).await?;
    // Who has a password only is not told the number that goes with it.
    let (to, end) = if is_second { (None, Some(number.end())) } else { (Some(&sent.to), None) };
    let shown = json!({ "to": to, "end": end });
    Ok(Begun::Ask { shown, memory: serde_json::to_value(sent).or_internal()? })
}

/// Makes a code, and sends it where an account can be entered by it.
async fn send(
    visit: &Visit,
    (number, topic): (&PhoneNumber, TextTopic),
    is_second: bool,
) -> Result<SentCode> {
    let host = &visit.host;
    texts::must_be_sealable(host)?;
    let candidate = owner(visit, number).await?.map(|(candidate, _)| candidate);
    let is_known = |Candidate { account, .. }: &Candidate| {
        Device::known(visit, account.id, account.credentials_changed_at).is_some()
    };
    let is_owner = is_second || candidate.as_ref().is_some_and(is_known);
    let requester = if is_owner { Requester::Owner } else { Requester::Stranger };
    let may_be_sent = texts::number_waits(host, (number, requester)).await.is_none();
    let (sent, code) = SentCode::new(visit.cx(), number.as_str(), terms(host));
    let own = candidate.as_ref().and_then(|candidate| candidate.account.profile.locale.as_deref());
    let body = texts::written(host, &language(visit, own)?, topic, &code)?;
    let target = target_of(candidate.as_ref().and_then(Candidate::member_id));
    let mut tx = host.begin().await?;
    record(&mut tx, visit.cx(), Meaning::done(Action::SignInCodeRequested, target));
    let is_sent = candidate.is_some() && may_be_sent;
    if is_sent {
        texts::queue(host, &mut tx, (number, body), sent.until)?;
    }
    tx.commit().await?;
    Ok(sent.where_sent(visit.cx(), is_sent))
}

async fn judge(turn: Turn<'_>) -> Result<Verdict> {
    let Ok(sent) = SentCode::deserialize(turn.memory) else {
        return Ok(Verdict::Refused(StatusCode::OK, MessageKey::SignInAgain));
    };
    let owner = owner(turn.visit, &PhoneNumber::parse(&sent.to)?).await?;
    match turn.progress.account() {
        None => judge_first(turn, &sent, owner.as_ref()).await,
        Some(account) => {
            let owner = owner.filter(|(candidate, _)| candidate.account.id == account);
            judge_second(turn, &sent, owner.as_ref()).await
        }
    }
}

/// The account that a number opens, and what it has proven the number by.
type Owned = (Candidate, Credential);

async fn judge_first(turn: Turn<'_>, sent: &SentCode, owner: Option<&Owned>) -> Result<Verdict> {
    let visit = turn.visit;
    let Method { factor, amr, .. } = METHOD;
    let (terms, wrong) = (terms(&visit.host), MessageKey::TextCodeWrong);
    let guessed = Guessed { method: ID, factor, amr, terms, wrong };
    let guess = CodeGuess::count(visit, (sent, guessed), owner.map(|(candidate, _)| candidate)).await?;
    if let Some(owner) = owner.filter(|owner| guess.may_be_judged() && is_right(turn, sent, owner))
        && sent.spend(&visit.host).await?
    {
        return Ok(Verdict::Proven(Box::new(Proof { counters: vec![guess.counter()], ..proof(owner) })));
    }
    guess.refuse().await
}

async fn judge_second(turn: Turn<'_>, sent: &SentCode, owner: Option<&Owned>) -> Result<Verdict> {
    let Some(guess) = SecondGuess::count(turn, (METHOD.id, METHOD.amr)).await? else {
        return Ok(Verdict::Refused(StatusCode::OK, MessageKey::SignInAgain));
    };
    let host = &turn.visit.host;
    let of_code = sent.count(host, (ID, terms(host))).await?;
    let may_be_judged = guess.may_be_judged() && !of_code.is_locked();
    if let Some(owner) = owner.filter(|owner| may_be_judged && is_right(turn, sent, owner))
        && sent.spend(host).await?
    {
        return Ok(guess.right(proof(owner)));
    }
    Ok(match guess.refuse().await? {
        Verdict::Refused(status, MessageKey::CodeWrong) => {
            Verdict::Refused(status, MessageKey::TextCodeWrong)
        }
        refused => refused,
    })
}

fn is_right(turn: Turn<'_>, sent: &SentCode, (candidate, _): &Owned) -> bool {
    sent.is_since_change(&candidate.account)
        && turn.visit.cx().now < sent.until
        && sent.is(turn.params.one("code").unwrap_or_default())
}

/// The number must still be the account's where the proof counts.
fn proof((candidate, credential): &Owned) -> Proof {
    let effect = Effect::Uses(credential.id, credential.mark + 1);
    Proof { effect, ..Proof::of(candidate.account.clone()) }
}

/// Whom a code to the number lets in; as much is read where it is no one.
async fn owner(visit: &Visit, number: &PhoneNumber) -> Result<Option<Owned>> {
    let mut tx = visit.host.read().await?;
    let credential = phones::find(&mut tx, number).await?;
    let account = credential.as_ref().map(|credential| credential.account);
    let candidate = changes::candidate_behind(&mut tx, account).await?;
    let candidate = candidate.filter(|one| one.account.is_active && may_enter(&visit.host, one));
    Ok(candidate.zip(credential))
}
