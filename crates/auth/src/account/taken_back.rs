//! What follows where the owner of an account says that another person was in it: everything under way ends in every tenant, what that
//! person may have added goes, and the owner goes on to choose another password.

use svc_core::{Cx, Result, Seconds, Secret, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::log::Action;
use svc_domain::people::accounts::Account;
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::credentials::{self, Kind, Owner};
use svc_domain::people::{guardians, leaving, phones};
use svc_http::{IntoResponse as _, Response, see_other};
use svc_keys::token;

use super::ends::take_in_ends;
use super::mailed;
use super::recovery;
use crate::hosted::Visit;
use crate::hosted::paths::START;
use crate::pages::Outcome;
use crate::signin::offers;

/// Where the owner goes on.
pub enum Next {
    /// To the page on which another password is chosen.
    Choose(String),
    /// Nowhere.
    Ended(Outcome),
}

/// The hash of a random password, which takes the place of the present one: the other person may know that.
pub async fn unknown_password(visit: &Visit) -> Result<String> {
    let unknown = Secret::new(token(&*visit.cx().entropy));
    visit.host.app.hash_password(visit.host.tenant.id, &unknown).await
}

/// Removes every trusted browser, and each credential and guardian that has come since then, and calls off a deletion that was begun
/// since: none depends on the password.
pub async fn take_back(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (candidate, since): (&Candidate, Timestamp),
) -> Result<()> {
    let owner = Owner::from(candidate);
    // Held, so that who is adding one has done so by now, or finds the account taken back.
    let all = credentials::held_of_account(tx, owner.account).await?;
    credentials::remove_all(tx, cx, owner, Kind::TrustedBrowser).await?;
    for kind in Kind::ALL {
        credentials::remove_since(tx, cx, owner, (*kind, since)).await?;
    }
    let Some(member) = &candidate.member else { return Ok(()) };
    for phone in all.iter().filter(|one| one.kind == Some(Kind::Phone) && one.created_at >= since) {
        phones::removed(tx, cx, member, phone).await?;
    }
    guardians::remove_since(tx, cx, member, since).await?;
    let days = visit.host.app.config.user_self_service.deletion_grace_days;
    let grace = Seconds::from_days(days);
    leaving::keep_since(tx, cx, member, (since, grace)).await?;
    Ok(())
}

/// Ends everything under way: by the random password where the account has one, and leads to another where a mail replaces those.
/// `done` is what is reported otherwise.
pub async fn ended(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (account, hash, done): (&Account, &str, Outcome),
) -> Result<Next> {
    if account.password.is_none() {
        changes::end_everything(tx, cx, account).await?;
        return Ok(Next::Ended(done));
    }
    changes::set_account_password(tx, cx, account, (hash, Action::PasswordReset)).await?;
    if offers::recovery(&visit.host) {
        return recovery::begun(tx, cx, account).await.map(Next::Choose);
    }
    let is_of_use = offers::password(&visit.host);
    Ok(Next::Ended(if is_of_use { Outcome::PasswordTaken } else { done }))
}

/// The answer, once it is committed.
pub async fn go_on(visit: &Visit, next: Next) -> Result<Response> {
    take_in_ends(&visit.host).await?;
    match next {
        Next::Choose(path) => Ok(see_other(&path).into_response()),
        Next::Ended(outcome) => {
            mailed::done_at(visit, outcome, offers::only_guardians(&visit.host).unwrap_or(START))
        }
    }
}
