//! A sign-in that waits for a mailed link to be opened, in the browser that asked for it.

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_domain::people::accounts::Email;

use super::carried::{Aim, Ceremony};
use crate::hosted::Visit;

/// A sign-in that waits for its link.
#[derive(Serialize, Deserialize)]
pub struct Waiting {
    /// The browser that asked for it.
    browser: String,
    /// What that browser carried, sealed.
    pub flow: String,
    /// The address that it proves.
    pub to: String,
}

impl Waiting {
    /// A sign-in that goes on from where the page is, for as long as if it began now.
    pub fn new(visit: &Visit, flow: &str, to: &Email) -> Result<Self> {
        let mut ceremony: Ceremony = visit.open(Some(flow))?;
        if let Aim::Flow(flow) = &mut ceremony.aim {
            flow.since = visit.cx().now;
        }
        let flow = visit.seal(&Ceremony { pending: None, ..ceremony })?;
        Ok(Self { browser: visit.browser.digest_as_text(), flow, to: to.as_str().to_owned() })
    }

    /// Whether this is the browser that asked.
    pub fn is_of(&self, visit: &Visit) -> bool {
        visit.browser.has_digest(&self.browser)
    }
}
