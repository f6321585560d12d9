//! What an application and an organization demand of a sign-in, and the page that asks for it. `demanded` has the value alone, which flows
//! carry.

use svc_core::{OrganizationId, Result};
use svc_domain::apps::App;
use svc_http::{HostCx, Response};

use super::accepted::Accepts;
use super::attempt::Attempt;
use super::ceremony::{SignIn, Way};
use super::demanded::Demanded;
use super::errand::Errand;
use super::methods;
use super::sso;
use crate::hosted::Visit;

impl Demanded {
    /// What an application demands, and the organization in which its tokens would count.
    pub async fn of(host: &HostCx, app: &App, organization: Option<OrganizationId>) -> Result<Self> {
        let named = organization.map(|id| id.to_string());
        let accepts = Accepts::of(host, app, named.as_deref()).await?;
        let through = sso::of_request(host, (named.as_deref(), accepts.is_sso_alone()), None).await?;
        let methods = methods::offered(host).filter(|method| accepts.takes(host, method));
        Ok(Self {
            through: through.map(|connection| connection.organization_id),
            methods: methods.map(|method| method.id.to_owned()).collect(),
            max_age: accepts.longest(),
        })
    }

    /// The sign-in form, or the way to the provider that alone leads in.
    pub async fn page(&self, visit: &Visit) -> Result<Response> {
        let signin = SignIn::new(Way::Errand(visit, Errand::Demanded(self.clone())));
        let named = self.through.map(|id| id.to_string());
        match sso::of_request(&visit.host, (named.as_deref(), true), None).await? {
            Some(connection) => signin.offering(&connection, None).await,
            None => signin.page(&Attempt::default()),
        }
    }
}
