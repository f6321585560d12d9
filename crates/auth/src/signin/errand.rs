//! Sign-in on the way to a page of our own: no application asked for it, and none gets an answer.

use serde::{Deserialize, Serialize};
use svc_core::{AppId, Result, Seconds, Timestamp};

use super::demanded::Demanded;
use super::flow::Flow;
use crate::hosted::paths::{
    ACCESS, ACCOUNT, APPROVALS, DEVICE, FORGOT, NEW_ADDRESS, ORGANIZATION_INVITATION,
};
use crate::hosted::{Carried, Visit, with_query};
use crate::pages::{FOR_ACCESS, FOR_ACCOUNT, FOR_APPROVALS, FOR_DEVICE, FOR_INVITATION, FOR_RECOVERY};

/// The sign-in page of an errand.
pub const PATH: &str = "/auth/errand";

/// Where the person goes on; a closed list, so that a person cannot be sent elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Errand {
    /// Enters the code of a device, which may be known already.
    Device(Option<String>),
    /// Decides what waits for approval.
    Approvals,
    /// The same, once a second factor is proven, which the application or the organization of a request demands.
    SecondFactor,
    /// The same, by another sign-in, which the application or the organization of a request demands.
    Demanded(Demanded),
    /// Looks at what applications were allowed.
    Access,
    /// Looks after the account, at the section whose address ends so.
    Account(String),
    /// Accepts an invitation to an organization, by the secret of the mailed link.
    Invitation(String),
    /// Confirms another address for the account, by the secret of the mailed link.
    NewAddress(String),
    /// Chooses a new password, and goes on with the flow in which the old one was missing; no session begins on this way.
    Recovery(Option<Box<Flow>>),
    /// Chooses a password in the place of one that another person has set, and goes on with the flow; no session begins before.
    OwnPassword(Option<Box<Flow>>),
}

impl Errand {
    /// The address of the page.
    pub fn url(&self) -> String {
        match self {
            Self::Device(None) => DEVICE.to_owned(),
            Self::Device(Some(code)) => with_query(DEVICE, [("user_code", code.as_str())]),
            Self::Approvals | Self::SecondFactor | Self::Demanded(_) => APPROVALS.to_owned(),
            Self::Access => ACCESS.to_owned(),
            Self::Account(section) if section.is_empty() => ACCOUNT.to_owned(),
            Self::Account(section) => format!("{ACCOUNT}/{section}"),
            Self::Invitation(secret) => with_query(ORGANIZATION_INVITATION, [("token", secret.as_str())]),
            Self::NewAddress(secret) => with_query(NEW_ADDRESS, [("token", secret.as_str())]),
            Self::Recovery(_) => FORGOT.to_owned(),
            Self::OwnPassword(_) => ACCOUNT.to_owned(),
        }
    }

    /// Why the person signs in, as the id of a message.
    pub fn purpose(&self) -> &'static str {
        match self {
            Self::Device(_) => FOR_DEVICE,
            Self::Approvals | Self::SecondFactor | Self::Demanded(_) => FOR_APPROVALS,
            Self::Access => FOR_ACCESS,
            Self::Account(_) | Self::NewAddress(_) => FOR_ACCOUNT,
            Self::Invitation(_) => FOR_INVITATION,
            Self::Recovery(_) | Self::OwnPassword(_) => FOR_RECOVERY,
        }
    }

    /// The languages that the application asked for.
    pub fn ui_locales(&self) -> Option<&str> {
        match self {
            Self::Recovery(Some(flow)) | Self::OwnPassword(Some(flow)) => flow.request.ui_locales.as_deref(),
            _ => None,
        }
    }

    /// Signs in as another person than the present one, and comes back.
    pub fn switch_url(&self, visit: &Visit) -> Result<String> {
        Ok(format!("{PATH}?flow={}", visit.seal(self)?))
    }
}

impl Carried for Errand {
    const LABEL: &'static str = "hosted errand";

    fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp {
        now + login
    }

    fn app(&self) -> Option<AppId> {
        match self {
            Self::Recovery(Some(flow)) | Self::OwnPassword(Some(flow)) => flow.app(),
            _ => None,
        }
    }
}
