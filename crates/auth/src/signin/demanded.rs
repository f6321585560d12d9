//! The sign-in that a request demands which waits for a person who has signed in otherwise.

use serde::{Deserialize, Serialize};
use svc_core::{OrganizationId, Result};
use svc_domain::apps::App;
use svc_http::{HostCx, Response};

use super::accepted::Accepts;
use super::attempt::Attempt;
use super::ceremony::{SignIn, Way};
use super::errand::Errand;
use super::methods::{self, Method};
use super::sso;
use crate::hosted::Visit;

/// What is accepted on the way back to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demanded {
    /// The organization whose provider alone leads in.
    pub through: Option<OrganizationId>,
    /// The methods that it may begin with.
    methods: Vec<String>,
    /// How many seconds ago it may have been at a provider.
    pub max_age: Option<i64>,
}

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

    /// Whether it may begin with a method.
    pub fn takes(&self, method: &Method) -> bool {
        self.methods.iter().any(|id| id == method.id)
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
