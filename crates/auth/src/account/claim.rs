//! What a proven address leads to: a new account, that of the guest of the browser, or the one that has it.

use svc_core::{AccountId, Actor, Cx, Result, Secret};
use svc_db::{Tenant, Tx};
use svc_domain::claims::profile::Profile;
use svc_domain::log::Action;
use svc_domain::people::accounts::{self, Account, Email, NewAccount};
use svc_domain::people::changes;
use svc_domain::people::credentials::Owner;
use svc_domain::people::credentials::passkeys::Created;
use svc_domain::people::guests::{self, Given};
use svc_domain::people::tenant_users::Person;
use svc_http::{HostCx, Params};
use svc_keys::token;

use super::first_passkey::FIRST_NAME;
use crate::hosted::Visit;
use crate::pages::MessageKey;
use crate::signin::methods::password;
use crate::signin::offers;

/// Longest name in characters.
const LONGEST_NAME: usize = 200;

/// What opening a link leads to.
pub(super) enum Claim {
    /// No account has the address yet.
    New,
    /// Neither has one, and the guest of this browser is to have it.
    Guest(Box<Person>),
    /// The account that has it, with a password and credentials of its owner's choice.
    Known(Box<Account>),
    /// The account that has it, with what may be another person's choice: no one has proven the address before, or another tenant
    /// manages the account.
    Unclaimed(Box<Account>),
}

/// By what the account will be entered.
pub(super) enum Chosen {
    /// By what it has.
    Nothing,
    /// By this password, as a PHC string.
    Password(String),
    /// By what is mailed to the address.
    Codes,
    /// By this passkey, which knows the account by its id already.
    Passkey(AccountId, Box<Created>),
}

/// What the person chooses behind the link.
pub(super) struct Choice {
    pub name: String,
    pub password: Secret,
}

impl Claim {
    /// What an account is to the person who has proven to own its address.
    pub(super) async fn of(tx: &mut Tx<Tenant>, account: Account) -> Result<Self> {
        let is_its_owners = accounts::is_its_owners(tx, &account).await?;
        Ok(if is_its_owners { Self::Known(account.into()) } else { Self::Unclaimed(account.into()) })
    }

    pub(super) fn asks_name(&self) -> bool {
        matches!(self, Self::New | Self::Guest(_))
    }

    /// Whether the person begins anew: nothing that they have chosen opens the account yet.
    pub(super) fn is_first(&self) -> bool {
        !matches!(self, Self::Known(_))
    }

    /// Whether a password is chosen now: the first one, or a new one instead of another person's choice.
    pub(super) fn asks_password(&self, host: &HostCx) -> bool {
        self.is_first() && offers::password(host)
    }

    /// By what the account will be entered, where the form was right.
    pub(super) async fn chosen(&self, visit: &Visit, password: &Secret) -> Result<Chosen> {
        let hash = async |password: &Secret| {
            visit.host.app.services.passwords.hash(password, &*visit.cx().entropy).await.map(Chosen::Password)
        };
        match self {
            Self::Known(_) => Ok(Chosen::Nothing),
            _ if self.asks_password(&visit.host) => hash(password).await,
            Self::New | Self::Guest(_) => Ok(Chosen::Codes),
            // Another person may know the present password; one that nobody knows takes its place.
            Self::Unclaimed(_) => hash(&Secret::new(token(&*visit.cx().entropy))).await,
        }
    }

    /// What the form says, or what is wrong with it.
    pub(super) async fn choice(
        &self,
        visit: &Visit,
        email: &str,
        form: &Params,
    ) -> Result<Choice, MessageKey> {
        let name = form.one("name").map(str::trim).unwrap_or_default();
        if self.asks_name() && !is_name(name) {
            return Err(MessageKey::NameMissing);
        }
        let password = password::typed(form);
        let asks_password = self.asks_password(&visit.host);
        let fault =
            if asks_password { password::fault(visit, &password, &[email, name]).await } else { None };
        fault.map_or_else(|| Ok(Choice { name: name.to_owned(), password }), Err)
    }
}

pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().count() <= LONGEST_NAME && !name.chars().any(char::is_control)
}

/// The account of the person who proved by the link to have the address: a new one, or the one that has it. `None` if what was
/// chosen does not go with it.
pub(super) async fn proven(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    claim: Claim,
    (email, name, chosen): (Email, String, Chosen),
) -> Result<Option<AccountId>> {
    match (claim, chosen) {
        (Claim::New, Chosen::Passkey(id, created)) => {
            let profile = Profile { name: Some(name), ..Profile::default() };
            let new = NewAccount { email: Some(email), email_verified: true, password: None, profile };
            accounts::create_as(tx, cx, id, &new).await?;
            let called = created.maker().unwrap_or(FIRST_NAME);
            created.keep(tx, cx, Owner { account: id, member: None }, called).await?;
            Ok(Some(id))
        }
        (Claim::New, Chosen::Password(hash)) => {
            let profile = Profile { name: Some(name), ..Profile::default() };
            let new = NewAccount { email: Some(email), email_verified: true, password: Some(hash), profile };
            accounts::create(tx, cx, &new).await.map(Some)
        }
        (Claim::New, Chosen::Codes) => {
            let profile = Profile { name: Some(name), ..Profile::default() };
            let new = NewAccount { email: Some(email), email_verified: true, password: None, profile };
            accounts::create(tx, cx, &new).await.map(Some)
        }
        (Claim::Guest(guest), Chosen::Codes) => {
            let given = Given { email: &email, name: Some(name), password: None };
            Ok(kept(tx, cx, &guest, given).await?.then_some(guest.account_id))
        }
        (Claim::Unclaimed(account), Chosen::Password(hash)) => {
            changes::hand_over(tx, cx, &account, (&hash, Action::PasswordChanged)).await?;
            Ok(Some(account.id))
        }
        (Claim::Guest(guest), Chosen::Password(hash)) => {
            let given = Given { email: &email, name: Some(name), password: Some(&hash) };
            Ok(kept(tx, cx, &guest, given).await?.then_some(guest.account_id))
        }
        (Claim::Guest(guest), Chosen::Passkey(id, created)) if id == guest.account_id => {
            let given = Given { email: &email, name: Some(name), password: None };
            if !kept(tx, cx, &guest, given).await? {
                return Ok(None);
            }
            let called = created.maker().unwrap_or(FIRST_NAME).to_owned();
            created.keep(tx, cx, Owner::from(&*guest), &called).await?;
            Ok(Some(id))
        }
        (Claim::Known(account), Chosen::Nothing) => Ok(Some(account.id)),
        (Claim::New, Chosen::Nothing)
        | (Claim::Guest(_), Chosen::Nothing | Chosen::Passkey(..))
        | (Claim::Unclaimed(_), Chosen::Nothing | Chosen::Codes | Chosen::Passkey(..))
        | (Claim::Known(_), Chosen::Password(_) | Chosen::Codes | Chosen::Passkey(..)) => Ok(None),
    }
}

/// Makes the guest a person who is known, as the person does.
async fn kept(tx: &mut Tx<Tenant>, cx: &Cx, guest: &Person, given: Given<'_>) -> Result<bool> {
    let cx = cx.acting_as(Actor::User(guest.subject.clone()));
    guests::keep(tx, &cx, guest, given).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_something_to_read_and_one_line() {
        assert!(is_name("Ada"));
        for bad in ["", "A\nB", &"x".repeat(201)] {
            assert!(!is_name(bad), "{bad:?}");
        }
    }
}
