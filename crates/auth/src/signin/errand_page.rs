//! The sign-in page on the way to a page of our own.

use svc_core::Result;
use svc_domain::organizations::invitations;
use svc_http::{Params, Response, Route, Routes, StatusCode};
use svc_keys::digest;

use super::accounts::Accounts;
use super::attempt::Attempt;
use super::ceremony::{SignIn, Way};
use super::choices::Choices;
use super::errand::{Errand, PATH};
use crate::hosted::Visit;
use crate::hosted::paths::SWITCH_ACCOUNT;
use crate::pages::{Form, SelectAccount};

impl Errand {
    /// The sign-in form.
    pub fn sign_in_page(&self, visit: &Visit, attempt: &Attempt<'_>) -> Result<Response> {
        SignIn::new(Way::Errand(visit, self.clone())).page(attempt)
    }

    /// Shows the pages as the organization has them whose invitation the person accepts.
    pub async fn dress(&self, visit: &Visit) -> Result<()> {
        let Self::Invitation(secret) = self else { return Ok(()) };
        let found = invitations::find_live(&mut visit.host.read().await?, visit.cx(), digest(secret)).await?;
        let organization = found.map(|invitation| invitation.organization_id.to_string());
        visit.dress(organization.as_deref()).await
    }

    /// The account chooser.
    fn account_page(&self, visit: &Visit, choices: &Choices) -> Result<Response> {
        let page = SelectAccount {
            form: Form::new(SWITCH_ACCOUNT, visit.seal(self)?),
            app_name: None,
            purpose: Some(self.purpose()),
            accounts: choices.accounts(),
        };
        visit.page_as(StatusCode::OK, &page, None)
    }
}

/// The sign-in page.
pub fn routes() -> Routes {
    Routes::new([Route::get(PATH).page("a page of sign-in", show)])
}

/// The account chooser where several are signed in, else the sign-in form.
async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    let errand: Errand = visit.open(query.one("flow"))?;
    errand.dress(visit).await?;
    if visit.browser.signed_in.has_others() {
        let mut tx = visit.host.read().await?;
        let accounts = Accounts::of(visit, &mut tx).await?;
        if accounts.are_several() {
            let choices = Choices::of(visit, &mut tx, accounts.sessions()).await?;
            return errand.account_page(visit, &choices);
        }
    }
    errand.sign_in_page(visit, &Attempt::default())
}
