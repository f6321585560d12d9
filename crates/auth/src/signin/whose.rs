//! Finds whom a flow belongs to, where several accounts are signed in in the browser (OpenID Connect Core §3.1.2.1, §3.1.2.6).

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::grants::consents;
use svc_domain::people::accounts::Email;
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::Person;

use super::accounts::Accounts;
use super::journey::Journey;
use super::who::Who;
use crate::authorize::PromptValue;

impl Journey<'_> {
    /// Finds whose flow it is. A page that was shown to one person goes on for that person, even if another one uses the browser by now.
    pub async fn who(&self, tx: &mut Tx<Tenant>, accounts: &Accounts) -> Result<Who> {
        let request = &self.flow.request;
        if let Some(person) = self.flow.person {
            return Ok(accounts.of_person(person).into());
        }
        // A new sign-in is asked for in any case.
        let is_new = request.prompt.has(PromptValue::Login) || request.prompt.has(PromptValue::Create);
        if !accounts.are_several() || is_new {
            return Ok(accounts.present().into());
        }
        if request.prompt.has(PromptValue::SelectAccount) {
            return Ok(Who::Open);
        }
        if request.hinted_subject.is_some() || !request.subjects.is_empty() {
            // Where none of them is meant, the page says that another one is signed in.
            return Ok(self.expected(tx, accounts).await?.or_else(|| accounts.present()).into());
        }
        if let Some(hinted) = self.hinted(tx, accounts).await? {
            return Ok(Some(hinted).into());
        }
        let chosen = accounts.present().filter(|_| !accounts.is_choice_open());
        Ok(chosen.map_or(Who::Open, |session| Some(session).into()))
    }

    /// The account that `login_hint` is the address or user name of. Where no page is shown, an application must have been
    /// allowed something by that person: it could find out who is signed in here, address by address.
    async fn hinted<'s>(&self, tx: &mut Tx<Tenant>, accounts: &'s Accounts) -> Result<Option<&'s Session>> {
        let Some(hint) = self.flow.request.login_hint.as_deref() else { return Ok(None) };
        let hinted = accounts.sessions().find(|session| is_called(&session.person, hint));
        let is_silent = self.flow.request.prompt.has(PromptValue::None);
        match hinted {
            Some(session) if is_silent && !self.app.configuration.first_party => {
                let (person, audience) = (session.person.id, self.stored_audience());
                let allowed = consents::find(tx, person, self.app.id, audience).await?;
                Ok(Some(session).filter(|_| allowed.is_some()))
            }
            hinted => Ok(hinted),
        }
    }

    /// The account that the application expects by `id_token_hint` or the claim `sub`.
    async fn expected<'s>(&self, tx: &mut Tx<Tenant>, accounts: &'s Accounts) -> Result<Option<&'s Session>> {
        for session in accounts.sessions() {
            let hinted = self.flow.request.hinted_subject.as_ref();
            let is_hinted = hinted.is_none_or(|subject| *subject == session.person.subject);
            if is_hinted && self.is_named(tx, &session.person).await? {
                return Ok(Some(session));
            }
        }
        Ok(None)
    }
}

/// Whether a hint is the address or the user name of a person.
fn is_called(person: &Person, hint: &str) -> bool {
    let key = |text: &str| Email::parse(text).ok().map(|email| email.key());
    let address = person.email.as_deref().and_then(key);
    let is_address = address.is_some() && address == key(hint);
    is_address || person.username.as_deref().is_some_and(|name| name.eq_ignore_ascii_case(hint))
}
