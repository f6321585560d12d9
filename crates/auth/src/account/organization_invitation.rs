//! The page behind the link of an invitation to an organization.
//!
//! The account that has the invited address accepts, and no other. A person who may sign in here already does so first. For an
//! account that is no member yet, and for an address that has no account, the mailed link is the proof of the address; it makes
//! the membership, but begins no session: who found the link gets nothing of the account.

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::organizations::invitations::{self, Invitation};
use svc_domain::organizations::{self, Organization, Status, looks};
use svc_domain::people::accounts::{self, Email};
use svc_domain::people::changes;
use svc_domain::people::intake::Answers;
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::{self, Person};
use svc_http::{OrganizationLetter, Params, Response, Route, Routes, StatusCode, TenantCx};
use svc_keys::digest;

use super::at_sign_up::AtSignUp;
use super::claim::{Called, Chosen, Claim, is_name, proven};
use super::denied::Denied;
use super::first_passkey;
use super::mailed;
use super::purpose::{FirstPasskey, Purpose, wrong_form};
use super::sign_up::member_now;
use super::written::Sender;
use crate::hosted::Visit;
use crate::hosted::paths::{ORGANIZATION_INVITATION as PATH, START};
use crate::pages::{Form, Intake, Mail, MessageKey, OrganizationInvitation, Outcome, Topic};
use crate::signin::complete::owed_on_errand;
use crate::signin::methods::password;
use crate::signin::{Attempt, Beginnings, Errand, account_of, current, offers};

const PASSKEY: &str = "/auth/organization-invitation/passkey";

/// A live invitation, and who can accept it.
struct Opened {
    invitation: Invitation,
    organization: Organization,
    claim: Claim,
    /// By what the account can be entered.
    by: Beginnings,
    /// The member who signs in before accepting.
    member: Option<Person>,
}

/// The page and its form.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(PATH).page("the link of an invitation mail", show),
        Route::post(PATH).form("accepts an invitation to an organization", submit),
        Route::post(PASSKEY).form("the challenge for a passkey of a newcomer who is invited", challenge),
    ])
}

/// Shows the form that accepts; opening the link changes nothing.
async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    let secret = query.one("token").unwrap_or_default();
    let Some(opened) = opened(visit, secret).await? else { return mailed::dead_link(visit, START) };
    dress(visit, &opened).await?;
    match who(visit, &opened).await? {
        Who::Stranger => sign_in(visit, secret, &opened),
        who => {
            if let Some(page) = owed(visit, secret, &who).await? {
                return Ok(page);
            }
            let asked = asked(visit, &opened).await?;
            page(visit, secret, (&opened, &who), ("", None, asked.part(None)))
        }
    }
}

/// Who looks at an invitation.
enum Who {
    /// A member is invited, and no session is there.
    Stranger,
    /// A member is invited, and another person is signed in.
    Other(Box<Session>),
    /// The invited member.
    Member(Box<Session>),
    /// The holder of the link; a session does not matter.
    Holder,
}

async fn who(visit: &mut Visit, opened: &Opened) -> Result<Who> {
    let Some(member) = &opened.member else { return Ok(Who::Holder) };
    let session = current(visit, &mut visit.host.read().await?).await?;
    if let Some(session) = &session {
        visit.speak_as(&session.person)?;
    }
    Ok(match session {
        None => Who::Stranger,
        Some(session) if session.person.id == member.id => Who::Member(Box::new(session)),
        Some(session) => Who::Other(Box::new(session)),
    })
}

/// What a newcomer is asked for, as one of the organization's people.
async fn asked<'a>(visit: &'a Visit, opened: &Opened) -> Result<AtSignUp<'a>> {
    let asked = AtSignUp::of(visit, &opened.claim, None).await?;
    Ok(asked.joining(opened.organization.id))
}

/// What a member owes before they accept.
async fn owed(visit: &Visit, secret: &str, who: &Who) -> Result<Option<Response>> {
    match who {
        Who::Member(session) => owed_on_errand(visit, &Errand::Invitation(secret.to_owned()), session).await,
        Who::Stranger | Who::Other(_) | Who::Holder => Ok(None),
    }
}

/// Shows the pages as the organization has them.
async fn dress(visit: &Visit, opened: &Opened) -> Result<()> {
    visit.dress(Some(&opened.organization.id.to_string())).await
}

fn sign_in(visit: &Visit, secret: &str, opened: &Opened) -> Result<Response> {
    let attempt = Attempt { username: Some(&opened.invitation.email), ..Attempt::default() };
    Errand::Invitation(secret.to_owned()).sign_in_page(visit, &attempt)
}

async fn opened(visit: &Visit, secret: &str) -> Result<Option<Opened>> {
    let mut tx = visit.host.read().await?;
    opened_in(visit, &mut tx, secret).await
}

/// What a live link leads to; `None` also where the organization is suspended, where the account may not enter, and where there
/// is no account and people may not register themselves.
async fn opened_in(visit: &Visit, tx: &mut Tx<Tenant>, secret: &str) -> Result<Option<Opened>> {
    let Some(invitation) = invitations::find_live(tx, visit.cx(), digest(secret)).await? else {
        return Ok(None);
    };
    let organization = organizations::find(tx, invitation.organization_id).await?;
    let Some(organization) = organization.filter(|found| found.status == Status::Active) else {
        return Ok(None);
    };
    let account = accounts::find_by_email(tx, &Email::parse(&invitation.email)?).await?;
    let by = Beginnings::of_tenant(&visit.host);
    let opened = |claim, member| Some(Opened { invitation, organization, claim, by, member });
    let Some(account) = account else {
        return Ok(if offers::sign_up(&visit.host) { opened(Claim::New, None) } else { None });
    };
    let member = tenant_users::find_by_account(tx, account.id).await?;
    let may_enter =
        account.is_active && member.as_ref().is_none_or(|member| member.may_sign_in() || is_invited(member));
    // Before the address is proven, the password may be another person's choice.
    let member = member.filter(|member| account.email_verified && member.may_sign_in());
    Ok(if may_enter { opened(Claim::of(tx, account).await?, member) } else { None })
}

/// Whether the person is invited to the tenant too, or was imported, which is accepted with this.
fn is_invited(member: &Person) -> bool {
    matches!(member.status, tenant_users::Status::Invited | tenant_users::Status::PreProvisioned)
}

fn page(
    visit: &Visit,
    secret: &str,
    (opened, who): (&Opened, &Who),
    (name, error, intake): (&str, Option<MessageKey>, Intake),
) -> Result<Response> {
    let (account, is_other) = match who {
        Who::Other(session) => (Some(account_of(&session.person)), true),
        Who::Member(session) => (Some(account_of(&session.person)), false),
        Who::Stranger | Who::Holder => (None, false),
    };
    let switch_url = match account {
        Some(_) => Some(Errand::Invitation(secret.to_owned()).switch_url(visit)?.into()),
        None => None,
    };
    let flow = visit.seal(&Purpose::AcceptInvitation(secret.to_owned()))?;
    let page = OrganizationInvitation {
        form: Form::new(PATH, flow).with(error),
        organization: (&opened.organization.configuration.name).into(),
        email: (&opened.invitation.email).into(),
        account: account.map(Into::into),
        switch_url,
        is_other,
        asks_name: opened.claim.asks_name(),
        asks_password: opened.claim.asks_password(opened.by),
        name: name.into(),
        min_length: password::shortest(),
        intake,
        passkey_url: opened.claim.takes_passkey(opened.by, visit.cx().id()).map(|_| PASSKEY.into()),
        is_passkey_alone: opened.claim.is_passkey_alone(opened.by),
    };
    visit.page_as(StatusCode::OK, &page, None)
}

async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    let (secret, passkey) = match visit.open(form.one("flow"))? {
        Purpose::AcceptInvitation(secret) => (secret, None),
        Purpose::AcceptWithPasskey(first) => (first.secret.clone(), Some(first)),
        _ => return Err(wrong_form()),
    };
    let Some(opened) = opened(visit, &secret).await? else { return mailed::dead_link(visit, START) };
    dress(visit, &opened).await?;
    let who = who(visit, &opened).await?;
    match who {
        Who::Stranger => return sign_in(visit, &secret, &opened),
        Who::Other(_) => return page(visit, &secret, (&opened, &who), ("", None, Intake::default())),
        Who::Member(_) | Who::Holder => {}
    }
    if let Some(page) = owed(visit, &secret, &who).await? {
        return Ok(page);
    }
    let asked = asked(visit, &opened).await?;
    let name = form.one("name").map(str::trim).unwrap_or_default();
    let again = |error| page(visit, &secret, (&opened, &who), (name, Some(error), asked.part(Some(&form))));
    let submitted = match passkey {
        Some(first) => with_passkey(visit, &opened, (first, name), &form).await?,
        None => with_form(visit, &opened, (&asked, &form)).await?,
    };
    let (chosen, answers) = match submitted {
        Ok(submitted) => submitted,
        Err(error) => return again(error),
    };
    let mut tx = visit.host.begin().await?;
    if accepted(visit, &mut tx, &secret, (name.to_owned(), chosen), (&asked, &answers)).await? {
        tx.commit().await?;
        return mailed::done(visit, Outcome::InvitationAccepted);
    }
    tx.rollback().await?;
    mailed::dead_link(visit, START)
}

/// The challenge for a passkey.
async fn challenge(visit: &mut Visit, form: Params) -> Result<Response> {
    let (Purpose::AcceptInvitation(secret) | Purpose::AcceptWithPasskey(FirstPasskey { secret, .. })) =
        visit.open(form.one("flow"))?
    else {
        return Err(wrong_form());
    };
    let opened = opened(visit, &secret).await?;
    let opened = opened.as_ref().map(|opened| (&opened.claim, opened.by, opened.invitation.email.as_str()));
    first_passkey::ask(visit, (Purpose::AcceptWithPasskey, secret), opened, &form)
}

/// By what the account will be entered and what the person has answered; or what is wrong.
type Submitted<'a> = std::result::Result<(Chosen, Answers<'a>), MessageKey>;

async fn with_form<'a>(
    visit: &Visit,
    Opened { invitation, claim, by, .. }: &Opened,
    (asked, form): (&'a AtSignUp<'_>, &Params),
) -> Result<Submitted<'a>> {
    let choice = match claim.choice(visit, *by, (&invitation.email, form)).await {
        Ok(choice) => choice,
        Err(error) => return Ok(Err(error)),
    };
    let Some(answers) = asked.answers(form) else { return Ok(Err(MessageKey::AnswersIncomplete)) };
    Ok(Ok((claim.chosen(visit, *by, &choice.password).await?, answers)))
}

/// The form of a passkey has nothing else: what is asked for besides comes behind the sign-in.
async fn with_passkey(
    visit: &Visit,
    Opened { claim, by, .. }: &Opened,
    (first, name): (FirstPasskey, &str),
    form: &Params,
) -> Result<Submitted<'static>> {
    if claim.takes_passkey(*by, first.account) != Some(first.account) {
        return Ok(Err(MessageKey::PasskeyFailed));
    }
    if claim.asks_name() && !is_name(name) {
        return Ok(Err(MessageKey::NameMissing));
    }
    let answer = form.one("answer").unwrap_or_default();
    let created = first_passkey::made(&visit.host, &first.creation, answer).await?;
    let chosen = |created| (Chosen::Passkey(first.account, Box::new(created)), Answers::default());
    Ok(created.map(chosen).map_err(Denied::message))
}

/// Spends the invitation and makes of the person what it promises, or nothing at all.
async fn accepted(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    secret: &str,
    (name, chosen): (String, Chosen),
    (asked, answers): (&AtSignUp<'_>, &Answers<'_>),
) -> Result<bool> {
    let session = current(visit, tx).await?;
    let Some(Opened { invitation, organization, claim, member, .. }) = opened_in(visit, tx, secret).await?
    else {
        return Ok(false);
    };
    // The account may have become a member who signs in since the page was shown.
    let is_member = |person: &Person| session.as_ref().is_some_and(|session| session.person.id == person.id);
    if member.as_ref().is_some_and(|member| !is_member(member)) {
        return Ok(false);
    }
    if !invitations::spend(tx, visit.cx(), digest(secret)).await? {
        return Ok(false);
    }
    let email = Email::parse(&invitation.email)?;
    let called = Called::new(visit, name);
    let cx = claim.once_held(visit, tx).await?;
    let Some(account) = proven(tx, &cx, claim, (email, called, chosen)).await? else {
        return Ok(false);
    };
    let person = match tenant_users::find_by_account(tx, account).await? {
        Some(member) => member_now(tx, visit.cx(), member).await?,
        None => changes::join(tx, visit.cx(), account).await.map(Some)?,
    };
    let Some(person) = person else { return Ok(false) };
    asked.keep(tx, &person, answers).await?;
    let cx = visit.cx().acting_as(person.actor());
    let most = visit.host.tenant.settings.limits.organizations.max_members(&visit.host.app.config);
    invitations::accept(tx, &cx, (&organization, most), (&invitation, &person)).await?;
    Ok(true)
}

/// Mails an invitation that is stored already.
pub(super) async fn send(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    letter: OrganizationLetter<'_>,
) -> Result<()> {
    let OrganizationLetter { to, organization, secret, lifetime } = letter;
    let look = looks::find(tx, organization.id).await?;
    let sender = Sender { look: look.as_ref(), ..Sender::from(caller) };
    let url = sender.link(PATH, secret);
    let (topic, organization) = (Topic::OrganizationInvitation, Some(&*organization.configuration.name));
    let mail = Mail { topic, name: None, organization, url: &url, code: None, time: Some(lifetime) };
    // In the language of the tenant: the tenant may not learn whether there is an account, nor which language its person reads.
    sender.queue_to(tx, (to, None), &mail)
}
