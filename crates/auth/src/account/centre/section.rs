//! What a section of the account centre is: a page, what its form does, and the person who is there.

use std::pin::Pin;

use svc_core::{Error, Result};
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::Person;
use svc_http::{HostCx, Params, Response};

use crate::hosted::{Visit, told};
use crate::pages::MessageKey;

/// A subject of the account centre.
pub struct Section {
    /// What its forms and its line of the menu are called; below another section, the name of that one comes first: `a/b`.
    pub id: &'static str,
    /// Its title, one of [`crate::pages::ACCOUNT_TITLES`].
    pub title: &'static str,
    /// Where it is.
    pub path: &'static str,
    /// Whether it is offered here.
    pub is_offered: fn(&HostCx) -> bool,
    /// Whether the person must have signed in recently: it changes how they sign in.
    pub is_sensitive: bool,
    /// For whom it is.
    pub whose: Whose,
    /// Shows it.
    pub show: for<'a> fn(Here<'a>, Told) -> Answering<'a, Response>,
    /// Does what its form asks for, if it has one.
    pub act: Option<Act>,
}

/// The sections that support staff see who act for a person; what is not named here is the person's alone.
const OPEN_TO_SUPPORT: &[&str] =
    &["overview", "profile", "sessions", "login-history", "support", "organizations"];

/// The sections that answer where they are not offered, because people may have to take back there what they began before; each
/// refuses the rest by itself.
const REACHED_UNOFFERED: &[&str] = &["deletion"];

/// For whom a section is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// For people who are known: it is about what guests do not have.
    People,
    /// For guests.
    Guests,
    /// For both.
    Everyone,
}

/// What a form of a section does.
pub type Act = for<'a> fn(Here<'a>, &'a Params) -> Answering<'a, Acted>;

/// An answer being made.
pub type Answering<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// The result of a form.
pub enum Acted {
    /// It is done: the section says so.
    Done(MessageKey),
    /// It is not, and the section says why.
    Fault(MessageKey),
    /// An answer of its own.
    Shown(Response),
}

/// A person at a section.
#[derive(Clone)]
pub struct Here<'a> {
    /// The browser.
    pub visit: &'a Visit,
    /// The session.
    pub session: Session,
    /// The section.
    pub section: &'static Section,
    /// All sections.
    pub sections: &'static [&'static Section],
    /// What the form before has left.
    pub memory: Option<String>,
}

/// What a section says besides what it shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told {
    /// What was done.
    pub notice: Option<MessageKey>,
    /// What was wrong with the form.
    pub error: Option<MessageKey>,
}

/// The refusal of a form whose section has no such action.
#[track_caller]
pub fn unknown_action() -> Error {
    Error::invalid_request("action: not one of this form")
}

impl Told {
    /// What the address says was done in this browser.
    pub fn of_query(visit: &Visit, query: &Params) -> Self {
        Self { notice: told(visit, query), error: None }
    }
}

impl Section {
    /// Whether it is for this person.
    pub fn is_for(&self, person: &Person) -> bool {
        match self.whose {
            Whose::People => !person.is_guest(),
            Whose::Guests => person.is_guest(),
            Whose::Everyone => true,
        }
    }

    /// Whether a line of the menu stands for it: its own, or that of the section above it.
    pub fn is_at(&self, tab: &Self) -> bool {
        self.id.split('/').next() == Some(tab.id)
    }

    /// Whether support staff who act for the person see it; they change nothing in any.
    pub fn is_open_to_support(&self) -> bool {
        OPEN_TO_SUPPORT.contains(&self.id)
    }

    /// Refuses where it is not offered, and nothing can be left to take back in it.
    pub fn must_be_reached(&self, host: &HostCx) -> Result<()> {
        if (self.is_offered)(host) || REACHED_UNOFFERED.contains(&self.id) {
            return Ok(());
        }
        Err(Error::not_found("this is not offered here"))
    }
}
