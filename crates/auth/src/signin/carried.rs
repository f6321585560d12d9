//! What the browser carries from one step of a sign-in to the next, sealed.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::{AppId, Seconds, Timestamp};

use super::errand::Errand;
use super::flow::Flow;
use super::progress::Progress;
use crate::hosted::Carried;

/// What the browser carries from one step of a sign-in to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ceremony {
    /// Where it leads.
    pub aim: Aim,
    /// What was proven so far.
    #[serde(default)]
    pub progress: Progress,
    /// The method that has begun and not ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<Pending>,
}

/// Where a sign-in leads: back to an application, or to a page of our own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// To the application that asked for it.
    Flow(Box<Flow>),
    /// To a page of our own.
    Errand(Errand),
}

/// A method in its second step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    /// The method.
    pub method: String,
    /// What its part of the page shows; `None` while the person is elsewhere.
    pub shown: Option<Value>,
    /// What its end needs to know.
    pub memory: Value,
    /// The address to which the person comes back; `None` where they are not elsewhere.
    #[serde(default)]
    pub return_path: Option<String>,
}

impl Aim {
    /// When the browser can no longer go there.
    pub fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp {
        match self {
            Self::Flow(flow) => flow.expires_at(now, login),
            Self::Errand(errand) => errand.expires_at(now, login),
        }
    }

    /// The application, where there is one.
    pub fn app(&self) -> Option<AppId> {
        match self {
            Self::Flow(flow) => flow.app(),
            Self::Errand(errand) => errand.app(),
        }
    }
}

impl Carried for Ceremony {
    const LABEL: &'static str = "sign-in ceremony";

    fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp {
        let until = self.aim.expires_at(now, login);
        self.progress.ends_at().map_or(until, |end| until.min(end))
    }

    fn app(&self) -> Option<AppId> {
        self.aim.app()
    }
}

/// A sign-in that waits for the answer to the question whether to join. What other pages carry answers no such question, even where
/// nothing more is to be proven: as where a person who is signed in adds an identity, or an address is still to be proven.
#[derive(Serialize, Deserialize)]
pub struct Joining(pub Ceremony);

impl Carried for Joining {
    const LABEL: &'static str = "question whether to join";

    fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp {
        self.0.expires_at(now, login)
    }

    fn app(&self) -> Option<AppId> {
        self.0.app()
    }
}

#[cfg(test)]
mod tests {
    use svc_core::{AccountId, SeededEntropy};

    use super::super::progress::{Evidence, Factor};
    use super::*;
    use crate::fixtures::NOW;

    #[test]
    fn what_was_proven_ends_however_often_its_page_is_shown() {
        let account = AccountId::new(NOW, &SeededEntropy::new(1));
        let (factor, amr) = (Factor::Knowledge, vec!["pwd".to_owned()]);
        let proof = Evidence { factor, amr, at: NOW, seen_at: None, credential: None };
        let progress = Progress::default().with(account, proof).unwrap();
        let ceremony = Ceremony { aim: Aim::Errand(Errand::Approvals), progress, pending: None };
        let until = |seconds| ceremony.expires_at(NOW + Seconds(seconds), Seconds(900));
        assert_eq!(until(0), NOW + Seconds(900));
        assert_eq!(until(2700), NOW + Seconds(3600));
        assert_eq!(until(3599), NOW + Seconds(3600));
    }
}
