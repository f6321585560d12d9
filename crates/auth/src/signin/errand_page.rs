//! The sign-in page on the way to a page of our own.

use svc_core::{OrganizationId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::organizations::invitations::{self, Invitation};
use svc_domain::people::intake::Intake;
use svc_domain::people::sessions::Session;
use svc_http::{Params, Response, Route, Routes, StatusCode};
use svc_keys::digest;

use super::accounts::Accounts;
use super::asked_in::asked_in;
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

    /// Shows the pages as the organization has them whose invitation the person accepts, whose provider leads in, or that of the flow
    /// which goes on afterwards.
    pub async fn dress(&self, visit: &Visit) -> Result<()> {
        let organization = match self {
            Self::Invitation(_) => {
                let found = self.organization(visit, &mut visit.host.read().await?).await?;
                found.map(|id| id.to_string())
            }
            Self::Demanded(demanded) => demanded.through.map(|id| id.to_string()),
            Self::Recovery(Some(flow)) | Self::OwnPassword(Some(flow)) => flow.held_to(),
            _ => None,
        };
        visit.dress(organization.as_deref()).await
    }

    /// The organization whose invitation the person accepts.
    async fn organization(&self, visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Option<OrganizationId>> {
        Ok(self.invitation(visit, tx).await?.map(|invitation| invitation.organization_id))
    }

    /// The address that is invited.
    async fn invited(&self, visit: &Visit) -> Result<Option<String>> {
        if !matches!(self, Self::Invitation(_)) {
            return Ok(None);
        }
        let found = self.invitation(visit, &mut visit.host.read().await?).await?;
        Ok(found.map(|invitation| invitation.email))
    }

    /// The invitation that the person accepts.
    async fn invitation(&self, visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Option<Invitation>> {
        let Self::Invitation(secret) = self else { return Ok(None) };
        invitations::find_live(tx, visit.cx(), digest(secret)).await
    }

    /// The organizations whose people the person of a session is asked as, on this errand.
    pub async fn asked_in(
        &self,
        visit: &Visit,
        tx: &mut Tx<Tenant>,
        (intake, session): (&Intake, &Session),
    ) -> Result<Vec<OrganizationId>> {
        if !intake.is_of_organizations() {
            return Ok(Vec::new());
        }
        let leads_to = self.organization(visit, tx).await?;
        asked_in(tx, intake, (&session.person, session.id), leads_to).await
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
    if let Errand::Demanded(demanded) = &errand {
        return Box::pin(demanded.page(visit)).await;
    }
    if visit.browser.signed_in.has_others() {
        let mut tx = visit.host.read().await?;
        let accounts = Accounts::of(visit, &mut tx).await?;
        if accounts.are_several() {
            let choices = Choices::of(visit, &mut tx, accounts.sessions()).await?;
            return errand.account_page(visit, &choices);
        }
    }
    let invited = errand.invited(visit).await?;
    errand.sign_in_page(visit, &Attempt { username: invited.as_deref(), ..Attempt::default() })
}
