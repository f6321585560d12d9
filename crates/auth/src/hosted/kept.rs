//! A page that travels sealed in its own address, for the redirect after a form (RFC 9110 §15.4.4): reload and back send nothing
//! twice.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::{AppId, OrInternal as _, OrganizationId, Result, Seconds, Timestamp};
use svc_http::StatusCode;

use super::sealed::{Carried, named_app};
use crate::pages::Page;

/// Where such pages are.
pub const PATH: &str = "/auth/page";
/// Longest address in bytes. Proxies refuse longer ones, so that a page with more state comes with the answer itself.
const LONGEST: usize = 6 * 1024;

/// A page as its address carries it: its data are harmless already.
#[derive(Serialize, Deserialize)]
pub struct Kept {
    /// The template.
    pub template: String,
    /// The data.
    pub page: Value,
    /// The status.
    pub status: u16,
    /// Where its form may lead besides here.
    pub target: Option<String>,
    /// The language in which the form was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The organization for whose people it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<OrganizationId>,
}

impl Carried for Kept {
    const LABEL: &'static str = "hosted page";

    fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp {
        now + login
    }

    fn app(&self) -> Option<AppId> {
        named_app(self.page.get("flow")?.as_str()?)
    }
}

impl Kept {
    /// A page with its status and target.
    pub fn of<P: Page>(status: StatusCode, page: &P, target: Option<&str>) -> Result<Self> {
        Ok(Self {
            template: P::TEMPLATE.to_owned(),
            page: serde_json::to_value(page).or_internal()?,
            status: status.as_u16(),
            target: target.map(str::to_owned),
            language: None,
            organization: None,
        })
    }

    /// The address of the page, unless it would be too long.
    pub fn address(&self, seal: impl FnOnce(&Self) -> Result<String>) -> Result<Option<String>> {
        let address = format!("{PATH}?shown={}", seal(self)?);
        Ok(Some(address).filter(|address| address.len() <= LONGEST))
    }
}
