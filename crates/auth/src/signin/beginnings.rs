//! How a new person can sign in to the account: what the tenant offers, and what counts where the sign-in leads.

use svc_core::Result;
use svc_domain::apps::App;
use svc_http::HostCx;

use super::accepted::Accepts;
use super::floors::{floor, strict_floor};
use super::flow::Flow;
use super::journey::Journey;
use super::methods::{Method, email_otp, magic_link, passkey, password};
use super::offers;

/// The ways to sign in that a newcomer can have.
#[derive(Clone, Copy, Default)]
pub struct Beginnings {
    /// Whether the person can choose a password.
    pub password: bool,
    /// Whether their browser can make a passkey.
    pub passkey: bool,
    /// What is mailed to the address, where nothing more has to be proven.
    pub mail: Option<&'static Method>,
}

impl Beginnings {
    /// Those of a person who is on the way to no application.
    pub fn of_tenant(host: &HostCx) -> Self {
        Self::of(host, (&Accepts::default(), None))
    }

    /// Those of the person of a flow, wherever the person opens the mail.
    pub async fn of_flow(host: &HostCx, flow: &Flow) -> Result<Self> {
        let app = host.app.services.apps.find(host.tenant.id, &flow.request.client.to_string()).await?;
        let Some(app) = app.filter(|app| app.enabled) else { return Ok(Self::of_tenant(host)) };
        let accepts = Accepts::of(host, &app, flow.held_to().as_deref()).await?;
        Ok(Self::of(host, (&accepts, Some(&app))))
    }

    fn of(host: &HostCx, (accepts, app): (&Accepts, Option<&App>)) -> Self {
        let takes = |method: &Method| (method.is_offered)(host) && accepts.takes(host, method);
        let demands_more = floor(host).max(strict_floor(host, app)).is_some();
        let mailed = [&magic_link::METHOD, &email_otp::METHOD].into_iter().find(|method| takes(method));
        Self {
            password: takes(&password::METHOD),
            passkey: takes(&passkey::METHOD),
            mail: mailed.filter(|_| !demands_more),
        }
    }

    /// Whether there is nothing but a passkey.
    pub fn is_passkey_alone(self) -> bool {
        self.passkey && !self.password && self.mail.is_none()
    }

    fn is_none(self) -> bool {
        !self.password && !self.passkey && self.mail.is_none()
    }
}

impl Journey<'_> {
    /// Whether a person can register on the way to this application. Where providers alone lead in, they do so by signing in.
    pub fn registers(&self) -> bool {
        let host = &self.visit.host;
        offers::sign_up(host) && !self.beginnings().is_none()
    }

    /// Whether a person who registers on the way to this application can choose a password.
    pub fn chooses_password(&self) -> bool {
        self.beginnings().password
    }

    fn beginnings(&self) -> Beginnings {
        Beginnings::of(&self.visit.host, (&self.accepts, Some(&self.app)))
    }
}
