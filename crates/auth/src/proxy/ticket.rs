//! The cookie of a host behind a proxy: what an access token for that host would say, sealed for the tenant, the application
//! and the host.
//!
//! It lives no longer than an access token may, so that memory knows whatever ends it before its time: a check asks nothing of
//! the database.

use serde::{Deserialize, Serialize};
use svc_core::{AppId, Digest, Result, Seconds, SessionId, Timestamp};
use svc_domain::tokens::access_token::Claims;
use svc_http::{Cookies, HeaderMap, HostCx, SetCookie};

use crate::hosted::{Carried, Envelope};

const COOKIE: &str = "svc_proxy";

/// A sign-in at one host; the host is its audience.
#[derive(Serialize, Deserialize)]
pub struct Ticket {
    /// Who signed in, and how long that holds.
    pub claims: Claims,
}

impl Carried for Ticket {
    const LABEL: &'static str = "proxy ticket";

    fn expires_at(&self, _: Timestamp, _: Seconds) -> Timestamp {
        Timestamp::from_secs(self.claims.exp)
    }

    fn app(&self) -> Option<AppId> {
        self.claims.client_id.parse().ok()
    }
}

impl Ticket {
    /// A ticket for the host. It ends with the session that stands behind it at the latest.
    pub fn at(host: &HostCx, origin: String, mut claims: Claims) -> Self {
        let limits = &host.tenant.settings.limits.session_cookie;
        let longest = limits.absolute_lifetime_secs(&host.app.config);
        // The person may have signed in long before that, at a provider.
        let session = claims.sid.as_deref().and_then(|sid| sid.parse::<SessionId>().ok());
        let began = session.map(|session| session.made_at().as_secs()).or(claims.auth_time);
        let session_ends = began.map(|began| began.saturating_add(longest.0));
        claims.exp = session_ends.map_or(claims.exp, |end| claims.exp.min(end));
        claims.aud = origin;
        Self { claims }
    }

    /// The ticket that the browser brought to the host, if it holds.
    pub fn of(host: &HostCx, headers: &HeaderMap, origin: &str) -> Option<Self> {
        let cookies = Cookies::of(headers);
        let text = cookies.one(&SetCookie::wire_name(COOKIE, is_secure(origin)))?;
        let ticket: Self = envelope(host).open(Some(text)).ok()?;
        let holds = ticket.claims.aud == origin && !host.app.services.revocations.is_revoked(&ticket.claims);
        holds.then_some(ticket)
    }

    /// The cookie for the host.
    pub fn cookie(&self, host: &HostCx) -> Result<SetCookie> {
        let left = Seconds(self.claims.exp - host.cx.now.as_secs());
        SetCookie::set(COOKIE, &envelope(host).seal(self)?, Some(left), is_secure(&self.claims.aud))
    }

    /// Takes the cookie of the host away.
    pub fn removal(origin: &str) -> Result<SetCookie> {
        SetCookie::clear(COOKIE, is_secure(origin))
    }
}

/// Bound to no browser: who has the cookie is signed in.
fn envelope(host: &HostCx) -> Envelope<'_> {
    let sealer = &host.app.services.forms;
    Envelope { sealer, tenant: host.tenant.id, browser: Digest([0; 32]), cx: &host.cx, login: Seconds(0) }
}

fn is_secure(origin: &str) -> bool {
    origin.starts_with("https:")
}
