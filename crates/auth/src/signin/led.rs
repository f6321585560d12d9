//! Where a sign-in is led: by the address that a person types, or by the organization in which their tokens are to count. It is held
//! to the rules of that organization, whether there is an account that has the address or not.

use svc_core::capability::Capability;
use svc_core::{OrganizationId, Result};
use svc_domain::apps::OrganizationUsage;
use svc_domain::domain_name;
use svc_domain::organizations::domains;

use super::accepted::Accepts;
use super::ceremony::{SignIn, Way};
use super::journey::Journey;

impl SignIn<'_> {
    /// The sign-in as the organization wants it that has proven the domain of the typed address.
    pub async fn led_by(mut self, typed: Option<&str>) -> Result<Self> {
        let is_first = self.progress.account().is_none();
        if let (Way::Flow(journey), Some(typed), true) = (&mut self.way, typed, is_first) {
            journey.led_by(typed).await?;
        }
        Ok(self)
    }
}

impl<'a> Journey<'a> {
    /// Lets a typed address lead, where the tokens of the application always count in an organization and nothing says in which.
    async fn led_by(&mut self, typed: &str) -> Result<()> {
        let host = &self.visit.host;
        let is_open = self.flow.organization().is_none()
            && self.app.organization_usage() == OrganizationUsage::Require
            && host.offers(&Capability::VERIFIED_DOMAINS);
        let Some(domain) = domain_name::of_address(typed).filter(|_| is_open) else { return Ok(()) };
        let holder = domains::holder(&mut host.read().await?, &domain).await?;
        if holder != self.flow.led {
            self.flow.led = holder;
            self.accept().await?;
        }
        Ok(())
    }

    /// The journey of a person who has to sign in as an organization wants it.
    pub async fn wanted_by(mut self, organization: OrganizationId) -> Result<Journey<'a>> {
        self.flow.led = Some(organization);
        // What was proven within this flow is not what is wanted.
        self.flow.signed_in = None;
        self.accept().await?;
        Ok(self)
    }

    /// Whether the sign-in is held to the rules of an organization.
    pub fn is_held_to(&self, organization: OrganizationId) -> bool {
        self.flow.led == Some(organization) || self.accepts.are_of(organization)
    }

    async fn accept(&mut self) -> Result<()> {
        let organization = self.flow.held_to();
        self.visit.dress(organization.as_deref()).await?;
        self.accepts = Accepts::of(&self.visit.host, &self.app, organization.as_deref()).await?;
        Ok(())
    }
}
