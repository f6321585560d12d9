//! What a section of the account centre has of the person who is there: the session, the frame of the page, and its form.

use svc_core::Result;
use svc_domain::grants::grant::Authentication;
use svc_domain::people::sessions::Session;
use svc_domain::people::{changes, credentials};
use svc_http::{RECENT_SIGN_IN, Response, is_recent};

use super::super::own::owner::Own;
use super::super::purpose::Purpose;
use super::section::{Here, Section, Told};
use crate::hosted::Visit;
use crate::hosted::mail::languages;
use crate::hosted::paths::ACCOUNT;
use crate::pages::{AccountFrame, Form, MessageKey, Tab};
use crate::signin::{Attempt, Errand, account_of, demanded_of};

/// What a person lacks who is not admitted to a section.
#[derive(Clone, Copy)]
pub enum Missing {
    /// There is no session.
    Session,
    /// There is none any more: what the person sent was shown within one.
    SessionOfForm,
    /// The sign-in is too long ago, or was never asked for a second factor that the person has by now.
    RecentSignIn,
    /// The provider of an organization vouched for the person, who has proven nothing of the account itself.
    OwnProof,
    /// The same, and the organization accepts no proof of another kind.
    AnyOwnProof,
}

impl<'a> Here<'a> {
    /// The person, if there is a session that is enough for the section; otherwise what is missing.
    pub async fn admitted(
        visit: &'a Visit,
        (section, sections): (&'static Section, &'static [&'static Section]),
        session: Option<Session>,
    ) -> Result<std::result::Result<Self, Missing>> {
        let Some(session) = session else { return Ok(Err(Missing::Session)) };
        // A guest has nothing to sign in with again.
        if section.is_sensitive && !session.person.is_guest() {
            let Authentication { auth_time, amr, .. } = &session.authentication;
            if !is_recent(*auth_time, RECENT_SIGN_IN, visit.cx().now) {
                return Ok(Err(Missing::RecentSignIn));
            }
            let (mut tx, account) = (visit.host.read().await?, session.person.account_id);
            if !changes::may_change_credentials(&mut tx, account, amr).await? {
                let address = session.person.email.as_deref();
                let is_enforced = demanded_of(&visit.host, &mut tx, address).await?.is_some();
                return Ok(Err(if is_enforced { Missing::AnyOwnProof } else { Missing::OwnProof }));
            }
            if credentials::has_missed_a_factor(&mut tx, account, (session.id, session.began_at)).await? {
                return Ok(Err(Missing::RecentSignIn));
            }
        }
        Ok(Ok(Self { visit, session, section, sections, memory: None }))
    }

    /// The person at their own account.
    pub fn own(&self) -> Own {
        let person = self.session.person.clone();
        let language = Some(languages(self.visit, person.profile.locale.as_deref()));
        Own::new(self.visit.host.clone(), (person, Some(self.session.id)), language)
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
            is_current: section.is_at(tab),
        };
        // Support staff act until they stop: they sign in as no one else meanwhile.
        let switch_url = if self.session.is_acting() {
            None
        } else {
            Some(errand(section).switch_url(self.visit)?.into())
        };
        Ok(AccountFrame {
            form: Form::new(section.path, self.visit.seal(&purpose)?).with(told.error),
            title: section.title,
            notice: told.notice,
            account: account_of(person).into(),
            switch_url,
            sections: offered.map(tab).collect(),
        })
    }
}

/// The sign-in page on the way to a section.
pub fn sign_in(visit: &Visit, section: &'static Section, missing: Missing) -> Result<Response> {
    let notice = match missing {
        Missing::Session => None,
        Missing::SessionOfForm => Some(MessageKey::SignedOutMeanwhile),
        Missing::RecentSignIn => Some(MessageKey::SignInAgain),
        Missing::OwnProof => Some(MessageKey::ProviderNotEnough),
        Missing::AnyOwnProof => Some(MessageKey::ProviderAlone),
    };
    errand(section).sign_in_page(visit, &Attempt { notice, ..Attempt::default() })
}

fn errand(section: &Section) -> Errand {
    let own = section.path.strip_prefix(ACCOUNT).unwrap_or_default();
    Errand::Account(own.trim_start_matches('/').to_owned())
}
