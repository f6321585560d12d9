//! A sign-in that waits for its address, where the tenant wants addresses proven: a link is mailed to that of the account, and the
//! sign-in goes on behind it. What was added to the account before may be another person's, and goes with the proof.

use svc_core::Result;
use svc_domain::people::accounts::{self, Account};
use svc_http::Response;

use super::ceremony::{SignIn, Way};
use super::owed_address::is_owed;
use super::sign_up_letter::prove;
use crate::hosted::paths::SIGN_IN;
use crate::pages::{Form, RegisterSent};

impl SignIn<'_> {
    /// Whether a person who has proven all that is asked for has an address to prove as well.
    pub(super) fn owes_address(&self, account: &Account) -> bool {
        let has_word = self.progress.vouched().is_some();
        is_owed(&self.visit().host, (account.email.as_deref(), account.email_verified)) && !has_word
    }

    /// The account for whose address alone a sign-in waits, if that is where it is: its page asks for another mail.
    pub(super) async fn waiting_for_address(&self) -> Result<Option<Account>> {
        let host = &self.visit().host;
        let id = self.progress.account().filter(|_| host.tenant.settings.verified_email_required);
        let is_complete = || self.missing().is_empty() && self.falls_short().is_none();
        let Some(id) = id.filter(|_| self.pending.is_none() && !self.way.recovers() && is_complete()) else {
            return Ok(None);
        };
        let account = accounts::find(&mut host.read().await?, id).await?;
        Ok(account.filter(|account| account.is_active && self.owes_address(account)))
    }

    /// Mails the link, and says so; the form of the page mails it again.
    pub(super) async fn ask_for_address(&self, account: &Account) -> Result<Response> {
        let visit = self.visit();
        let (flow, signin_url) = match &self.way {
            Way::Flow(journey) => (Some(&journey.flow), Some(journey.sign_in_url()?.into())),
            Way::Errand(..) => (None, None),
        };
        prove(visit, account, flow).await?;
        let form = Form::new(SIGN_IN, self.seal()?);
        let email = account.email.as_deref().unwrap_or_default().into();
        visit.page(&RegisterSent { form, email, has_account: true, again_url: None, signin_url })
    }
}
