//! What the account chooser offers: the accounts that are signed in in this browser, and those that were.

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::{self, Person};

use super::called::account_of;
use crate::hosted::{Device, Visit};
use crate::pages::Account;

/// The choice of an account that is not in the list.
pub const OTHER: &str = "other";

/// What the account chooser offers.
pub struct Choices {
    live: Vec<Session>,
    known: Vec<Person>,
}

impl Choices {
    /// The accounts of these live sessions, and the others that have signed in here, are members and may sign in.
    pub async fn of<'s>(
        visit: &Visit,
        tx: &mut Tx<Tenant>,
        live: impl Iterator<Item = &'s Session>,
    ) -> Result<Self> {
        let live: Vec<Session> = live.cloned().collect();
        let mut known = Vec::new();
        for account in Device::accounts(visit) {
            if live.iter().any(|session| session.person.account_id == account) {
                continue;
            }
            let person = tenant_users::find_by_account(tx, account).await?;
            known.extend(person.filter(|person| person.may_sign_in() && !person.is_guest()));
        }
        Ok(Self { live, known })
    }

    /// The accounts as the page shows them, those that are signed in first.
    pub fn accounts(&self) -> Vec<Account> {
        let live = self.live.iter().map(|session| (&session.person, Some(session.id.to_string())));
        let known = self.known.iter().map(|person| (person, None));
        live.chain(known).map(|(person, session)| account(person, session)).collect()
    }
}

/// An account as the chooser shows it, by its session where it is signed in.
pub fn account(person: &Person, session: Option<String>) -> Account {
    let called = account_of(person);
    Account {
        is_signed_in: session.is_some(),
        value: session.unwrap_or_else(|| called.to_owned()).into(),
        name: person.profile.name.as_deref().unwrap_or_default().into(),
        detail: called.into(),
    }
}
