//! What a proven address leads to: a new account, that of the guest of the browser, or the one that has it.

use svc_core::{AccountId, Cx, Result, Secret};
use svc_db::{Tenant, Tx};
pub(super) use svc_domain::claims::forms::is_name;
use svc_domain::claims::profile::Profile;
use svc_domain::log::Action;
use svc_domain::people::accounts::{self, Account, Email, NewAccount};
use svc_domain::people::changes;
use svc_domain::people::credentials::Owner;
use svc_domain::people::credentials::passkeys::Created;
use svc_domain::people::guests::{self, Given};
use svc_domain::people::tenant_users::{self, Person};
use svc_http::Params;

use crate::hosted::Visit;
use crate::pages::MessageKey;
use crate::signin::Beginnings;
use crate::signin::methods::password;

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

    /// The call as of when the account can be handed over: it is held before the time is taken, so that what a sign-in begins until then is
    /// older, in every tenant. Not for a call that goes on to begin a session, which would be older, too.
    pub(super) async fn once_held(&self, visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Cx> {
        let Self::Unclaimed(account) = self else { return Ok(visit.cx().clone()) };
        accounts::hold(tx, account).await?;
        Ok(visit.later())
    }

    pub(super) fn asks_name(&self) -> bool {
        matches!(self, Self::New | Self::Guest(_))
    }

    /// Whether the person starts from the beginning: nothing that they have chosen opens the account yet.
    pub(super) fn is_first(&self) -> bool {
        !matches!(self, Self::Known(_))
    }

    /// Whether a password is chosen now: the first one, or a new one instead of another person's choice.
    pub(super) fn asks_password(&self, by: Beginnings) -> bool {
        self.is_first() && by.password
    }

    /// Whether a passkey can be made now, and what the account is called by it: a new one gets this id.
    pub(super) fn takes_passkey(&self, by: Beginnings, new: AccountId) -> Option<AccountId> {
        let account = match self {
            Self::New => new,
            Self::Guest(guest) => guest.account_id,
            Self::Unclaimed(account) => account.id,
            Self::Known(_) => return None,
        };
        by.passkey.then_some(account)
    }

    /// Whether a passkey is all that the person can choose.
    pub(super) fn is_passkey_alone(&self, by: Beginnings) -> bool {
        self.is_first() && by.is_passkey_alone()
    }

    /// By what the account will be entered, where the form was right.
    pub(super) async fn chosen(&self, visit: &Visit, by: Beginnings, password: &Secret) -> Result<Chosen> {
        match self {
            Self::Known(_) => Ok(Chosen::Nothing),
            _ if self.asks_password(by) => {
                let host = &visit.host;
                host.app.hash_password(host.tenant.id, password).await.map(Chosen::Password)
            }
            _ => Ok(Chosen::Codes),
        }
    }

    /// What the form says, or what is wrong with it.
    pub(super) async fn choice(
        &self,
        visit: &Visit,
        by: Beginnings,
        (email, form): (&str, &Params),
    ) -> Result<Choice, MessageKey> {
        if self.is_passkey_alone(by) {
            return Err(MessageKey::PasskeyFailed);
        }
        let name = form.one("name").map(str::trim).unwrap_or_default();
        if self.asks_name() && !is_name(name) {
            return Err(MessageKey::NameMissing);
        }
        let password = password::typed(form);
        let asks_password = self.asks_password(by);
        let fault =
            if asks_password { password::fault(visit, &password, &[email, name]).await } else { None };
        fault.map_or_else(|| Ok(Choice { name: name.to_owned(), password }), Err)
    }
}

/// What a new person is called, and the language in which they are written to.
pub(super) struct Called {
    name: String,
    /// The one that they have chosen on our pages, if any.
    locale: Option<String>,
}

impl Called {
    /// A person of this name at this browser.
    pub(super) fn new(visit: &Visit, name: String) -> Self {
        Self { name, locale: visit.chosen().map(ToString::to_string) }
    }
}

/// The account of the person who proved by the link to have the address: a new one, or the one that has it. `None` if what was
/// chosen does not go with it.
pub(super) async fn proven(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    claim: Claim,
    (email, called, chosen): (Email, Called, Chosen),
) -> Result<Option<AccountId>> {
    match (claim, chosen) {
        (Claim::New, Chosen::Password(hash)) => {
            accounts::create(tx, cx, &new_account(email, called, Some(hash))).await.map(Some)
        }
        (Claim::New, Chosen::Codes) => {
            accounts::create(tx, cx, &new_account(email, called, None)).await.map(Some)
        }
        (Claim::New, Chosen::Passkey(id, created)) => {
            accounts::create_as(tx, cx, id, &new_account(email, called, None)).await?;
            let owner = Owner { account: id, member: None, session: None };
            created.keep(tx, cx, owner, created.first_name()).await?;
            Ok(Some(id))
        }
        (Claim::Guest(guest), Chosen::Password(hash)) => {
            let given = given(&email, called, Some(&hash));
            Ok(kept(tx, cx, &guest, given).await?.then_some(guest.account_id))
        }
        (Claim::Guest(guest), Chosen::Codes) => {
            let given = given(&email, called, None);
            Ok(kept(tx, cx, &guest, given).await?.then_some(guest.account_id))
        }
        (Claim::Guest(guest), Chosen::Passkey(id, created)) if id == guest.account_id => {
            let given = given(&email, called, None);
            if !kept(tx, cx, &guest, given).await? {
                return Ok(None);
            }
            created.keep(tx, cx, Owner::from(&*guest), created.first_name()).await?;
            Ok(Some(id))
        }
        (Claim::Unclaimed(account), Chosen::Password(hash)) => {
            changes::hand_over(tx, cx, &account, Some((&hash, Action::PasswordChanged))).await?;
            Ok(Some(account.id))
        }
        (Claim::Unclaimed(account), Chosen::Codes) => {
            changes::hand_over(tx, cx, &account, None).await?;
            Ok(Some(account.id))
        }
        (Claim::Unclaimed(account), Chosen::Passkey(id, created)) if id == account.id => {
            changes::hand_over(tx, cx, &account, None).await?;
            let member = tenant_users::find_by_account(tx, id).await?.map(|member| member.id);
            let owner = Owner { account: id, member, session: None };
            created.keep(tx, cx, owner, created.first_name()).await?;
            Ok(Some(id))
        }
        (Claim::Known(account), Chosen::Nothing) => Ok(Some(account.id)),
        (Claim::New, Chosen::Nothing)
        | (Claim::Guest(_) | Claim::Unclaimed(_), Chosen::Nothing | Chosen::Passkey(..))
        | (Claim::Known(_), Chosen::Password(_) | Chosen::Codes | Chosen::Passkey(..)) => Ok(None),
    }
}

/// An account of the person who has proven to own the address.
fn new_account(email: Email, Called { name, locale }: Called, password: Option<String>) -> NewAccount {
    let profile = Profile { name: Some(name), locale, ..Profile::default() };
    NewAccount { email: Some(email), email_verified: true, password, profile }
}

/// What a guest gives to keep the account.
fn given<'a>(email: &'a Email, Called { name, locale }: Called, password: Option<&'a str>) -> Given<'a> {
    Given { email, name: Some(name), locale, password }
}

/// Makes the guest a person who is known, as the person does.
async fn kept(tx: &mut Tx<Tenant>, cx: &Cx, guest: &Person, given: Given<'_>) -> Result<bool> {
    let cx = cx.acting_as(guest.actor());
    guests::keep(tx, &cx, guest, given).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_something_to_read_and_one_line() {
        assert!(is_name("Ada"));
        for bad in ["", "\u{200B}", "\u{2067}\u{2069}", "A\nB", &"x".repeat(201)] {
            assert!(!is_name(bad), "{bad:?}");
        }
    }
}
