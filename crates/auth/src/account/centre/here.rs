//! What a section of the account centre has of the person who is there: the session, the frame of the page, and its form.

use svc_core::Result;
use svc_domain::people::sessions::Session;
use svc_http::{RECENT_SIGN_IN, Response};

use super::super::own::owner::Own;
use super::super::purpose::Purpose;
use super::section::{Here, Section, Told};
use crate::hosted::Visit;
use crate::hosted::paths::ACCOUNT;
use crate::pages::{AccountFrame, Form, MessageKey, Tab};
use crate::signin::{Attempt, Errand, account_of};

impl<'a> Here<'a> {
    /// The person, if there is a session that is recent enough for the section; otherwise whether there is one.
    pub fn admitted(
        visit: &'a Visit,
        (section, sections): (&'static Section, &'static [&'static Section]),
        session: Option<Session>,
    ) -> std::result::Result<Self, bool> {
        let is_recent =
            |session: &Session| session.authentication.auth_time + RECENT_SIGN_IN > visit.cx().now;
        match session {
            // A guest has nothing to sign in with again.
            Some(session) if !section.is_sensitive || session.person.is_guest() || is_recent(&session) => {
                Ok(Self { visit, session, section, sections, memory: None })
            }
            session => Err(session.is_some()),
        }
    }

    /// The person at their own account.
    pub fn own(&self) -> Own {
        let language = Some(self.visit.locale.as_str().to_owned());
        Own::new(self.visit.host.clone(), self.session.person.clone(), language)
    }

    /// The frame of the page, with a form that remembers nothing.
    pub fn frame(&self, told: Told) -> Result<AccountFrame> {
        self.frame_with(told, None)
    }

    /// The frame of the page, with a form that brings `memory` back.
    pub fn frame_with(&self, told: Told, memory: Option<String>) -> Result<AccountFrame> {
        let (person, section) = (&self.session.person, self.section);
        let purpose = Purpose::Account { person: person.id, section: section.id.to_owned(), memory };
        let is_here = |tab: &&&Section| {
            (tab.is_offered)(&self.visit.host)
                && tab.is_for(person)
                && (!self.session.is_acting() || tab.is_open_to_support())
        };
        let offered = self.sections.iter().filter(is_here);
        let tab = |tab: &&'static Section| Tab {
            id: tab.id,
            title: tab.title,
            url: tab.path.into(),
            is_current: tab.id == section.id,
        };
        Ok(AccountFrame {
            form: Form::new(section.path, self.visit.seal(&purpose)?).with(told.error),
            title: section.title,
            notice: told.notice,
            account: account_of(person).into(),
            switch_url: Some(errand(section).switch_url(self.visit)?.into()),
            sections: offered.map(tab).collect(),
        })
    }
}

/// The sign-in page on the way to a section.
pub fn sign_in(visit: &Visit, section: &'static Section, has_session: bool) -> Result<Response> {
    let notice = has_session.then_some(MessageKey::SignInAgain);
    errand(section).sign_in_page(visit, &Attempt { notice, ..Attempt::default() })
}

fn errand(section: &Section) -> Errand {
    let own = section.path.strip_prefix(ACCOUNT).unwrap_or_default();
    Errand::Account(own.trim_start_matches('/').to_owned())
}
