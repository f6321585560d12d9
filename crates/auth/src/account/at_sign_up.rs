//! What a new person is asked for on the page that makes the account: documents to accept, and fields. Nothing of it is kept before the
//! address is proven, and what a page does not ask is asked behind the sign-in.

use std::sync::Arc;

use svc_core::{AppId, OrganizationId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::people::intake::{self, Answers, Asking, Intake, Open, Owed};
use svc_domain::people::tenant_users::Person;
use svc_domain::people::terms::{Given, Way};
use svc_http::Params;

use super::claim::Claim;
use crate::hosted::Visit;
use crate::pages::Intake as Part;
use crate::signin::intake::{Typed, answers, part};

/// What a newcomer is asked for.
pub(super) struct AtSignUp<'a> {
    visit: &'a Visit,
    intake: Arc<Intake>,
    application: Option<AppId>,
    organization: Option<OrganizationId>,
}

impl<'a> AtSignUp<'a> {
    /// What the person of a claim is asked for, on the way to an application. Whose account is there already is asked behind the
    /// sign-in, if need be.
    pub async fn of(visit: &'a Visit, claim: &Claim, application: Option<AppId>) -> Result<Self> {
        let intake = if claim.is_first() {
            visit.host.app.services.intakes.of(visit.host.tenant.id).await?
        } else {
            Arc::default()
        };
        Ok(Self { visit, intake, application, organization: None })
    }

    /// The same for a person who becomes a member of an organization with it, and is asked what its people are.
    #[must_use]
    pub fn joining(self, organization: OrganizationId) -> Self {
        Self { organization: Some(organization), ..self }
    }

    /// The part of the page.
    pub fn part(&self, form: Option<&Params>) -> Part {
        part(&self.open(), self.visit.locale.as_str(), form.map_or(Typed::Nothing, Typed::Sent))
    }

    /// What a form says; nothing where something is missing or wrong.
    pub fn answers(&self, form: &Params) -> Option<Answers<'_>> {
        answers(&self.open(), form)
    }

    /// Keeps what the person has said, who is a member now.
    pub async fn keep(&self, tx: &mut Tx<Tenant>, person: &Person, answers: &Answers<'_>) -> Result<()> {
        if self.open().owed == Owed::Nothing {
            return Ok(());
        }
        let cx = self.visit.cx().acting_as(person.actor());
        let language = self.visit.locale.as_str();
        let given = Given { language, at: Way::SignUp, application: self.application };
        intake::keep(tx, &cx, person, (answers, given)).await
    }

    fn open(&self) -> Open<'_> {
        let (application, now) = (self.application, self.visit.cx().now);
        self.intake.at_sign_up(Asking { application, organizations: self.organization.as_slice(), now })
    }
}
