//! Asks the guardians of an account: the answer is the same whether there is such an account, and whether it has guardians.

use std::future::{Ready, ready};

use svc_core::Result;
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::guardians::{self, NewBrowser, Terms};
use svc_domain::people::tenant_users::Person;
use svc_http::{IntoResponse as _, Params, Response, StatusCode, see_other};

use super::super::purpose::{Purpose, wrong_form};
use super::super::recovery_letters::{Owner, lifetime, number};
use super::request::RecoveryRequest;
use crate::hosted::paths::{ASK_GUARDIANS, FORGOT, GUARDIANS};
use crate::hosted::{Visit, captcha, mail};
use crate::pages::{Form, MessageKey, RecoveryAsk, Topic};
use crate::signin::offers;

/// Longest name that is looked at, in bytes; no account answers to a longer one.
const LONGEST: usize = 320;

/// Shows the form.
pub fn show(visit: &mut Visit, _query: Params) -> Ready<Result<Response>> {
    ready(offers::must_have_guardians(&visit.host).and_then(|()| page(visit, "", (None, StatusCode::OK))))
}

fn page(
    visit: &Visit,
    username: &str,
    (error, status): (Option<MessageKey>, StatusCode),
) -> Result<Response> {
    let form = Form::new(ASK_GUARDIANS, visit.seal(&Purpose::AskGuardians)?);
    let form = form.with(error).asking(captcha::widget(visit));
    let forgot_url = offers::recovery(&visit.host).then(|| FORGOT.into());
    visit.page_as(status, &RecoveryAsk { form, username: username.into(), forgot_url }, None)
}

/// Asks, and leads to the page that tells how far it is. Asking again for the same name changes nothing in a browser that has.
pub async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    offers::must_have_guardians(&visit.host)?;
    if visit.open::<Purpose>(form.one("flow"))? != Purpose::AskGuardians {
        return Err(wrong_form());
    }
    let username = form.one("username").map(str::trim).unwrap_or_default();
    if username.is_empty() || username.len() > LONGEST {
        return page(visit, "", (Some(MessageKey::UsernameMissing), StatusCode::OK));
    }
    if let Some(error) = captcha::judge_again(visit, &form).await?.fault() {
        return page(visit, username, (Some(error), StatusCode::OK));
    }
    if let Some(error) = mail::too_many(visit, "guardians").await {
        return page(visit, username, (Some(error), StatusCode::TOO_MANY_REQUESTS));
    }
    if RecoveryRequest::here(visit).is_some_and(|request| request.is_for(username) && !request.is_over(visit))
    {
        return Ok(see_other(GUARDIANS).into_response());
    }
    let request = RecoveryRequest::new(visit, username);
    open(visit, &request).await?;
    Ok((request.cookie(visit)?, see_other(GUARDIANS)).into_response())
}

/// Opens a case for the browser, if there is an account with guardians, and tells its owner and them.
async fn open(visit: &Visit, request: &RecoveryRequest) -> Result<()> {
    mail::must_be_sealable(visit)?;
    let found = changes::candidate_named(&mut visit.host.read().await?, &request.username).await?;
    let account = found.as_ref().map(|found| &found.account);
    let address = account.and_then(|account| account.email.as_deref()).unwrap_or(&request.username);
    let may_be_sent = mail::may_be_sent(visit, address, account.filter(|account| account.is_active)).await;
    let Some(person) = found.as_ref().and_then(member) else { return nothing(visit).await };
    let owner = Owner::told(&visit.host, person).await?;
    let config = visit.config();
    let least_wait = visit.host.tenant.settings.social_recovery.least_wait(config);
    let terms = Terms { least_wait, lifetime: lifetime(&visit.host) };
    let new = NewBrowser { digest: request.digest(), code: request.code(), user_agent: &visit.user_agent };
    let mut tx = visit.host.begin().await?;
    if let Some(opened) = guardians::open(&mut tx, visit.cx(), person, (new, terms)).await? {
        // A case is never opened in silence: an attacker who has used up the mails must not gain from that. There is one at a time.
        if opened.is_new || may_be_sent {
            owner.tell(&mut tx, (Topic::RecoveryOpened, None)).await?;
        }
        owner.ask(&mut tx, &opened.told).await?;
    }
    tx.commit().await
}

/// The member who can have guardians.
fn member(found: &Candidate) -> Option<&Person> {
    found.member.as_ref().filter(|person| person.may_sign_in())
}

/// What is read and written where there is no such account: as much as where it has no guardians.
async fn nothing(visit: &Visit) -> Result<()> {
    number(&visit.host, visit.cx().id()).await?;
    let mut tx = visit.host.begin().await?;
    guardians::open_in_vain(&mut tx, visit.cx()).await?;
    tx.commit().await
}
