//! A flow that waits for a mailed link, as the link keeps it.

use serde::{Deserialize, Serialize};
use svc_core::{AppId, Result};

use super::flow::Flow;
use crate::hosted::Visit;

/// A flow that waits for its person to come back from their inbox; it goes on in the browser where it began, only.
#[derive(Serialize, Deserialize)]
pub struct Onward {
    browser: String,
    flow: Flow,
}

impl Onward {
    /// The flow of this browser.
    pub fn new(visit: &Visit, flow: Flow) -> Self {
        Self { browser: visit.browser.digest_as_text(), flow: Flow { typed: None, ..flow } }
    }

    /// Where the flow leads, if this is the browser where it began.
    pub fn redirect_uri(&self, visit: &Visit) -> Option<&str> {
        self.is_here(visit).then(|| self.flow.request.reply_to.redirect_uri())
    }

    /// The flow, if this is the browser where it began; in any other, the sender of the link could be its owner.
    pub fn here(self, visit: &Visit) -> Option<Flow> {
        self.is_here(visit).then(|| Flow { since: visit.cx().now, ..self.flow })
    }

    /// Speaks and looks as the flow does, if this is the browser where it began; in any other, the sender of the link could have chosen
    /// both.
    pub async fn speak_and_dress(&self, visit: &mut Visit) -> Result<()> {
        if !self.is_here(visit) {
            return Ok(());
        }
        visit.speak(self.flow.request.ui_locales.as_deref())?;
        visit.dress(self.flow.held_to().as_deref()).await
    }

    /// The application that the flow leads to.
    pub fn application(&self) -> AppId {
        self.flow.request.client
    }

    /// What the flow asks for, in whatever browser.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    fn is_here(&self, visit: &Visit) -> bool {
        visit.browser.has_digest(&self.browser)
    }
}
