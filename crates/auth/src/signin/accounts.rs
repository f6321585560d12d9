//! The accounts that are signed in in one browser: each has a session of its own, and one of them acts (OpenID Connect Core
//! §3.1.2.1, `prompt=select_account`).
//!
//! The browser holds the secrets, so that there is nothing to look up for a browser with one account. What a cookie lists counts
//! only with a live session behind it, and each person once.

use svc_core::{Result, SessionId, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::logouts;
use svc_domain::people::sessions::{self, Session};

use super::acting_session::acting;
use crate::hosted::{SessionCookies, Visit};

/// The accounts that are signed in in a browser.
pub struct Accounts {
    /// The live sessions with their secrets, that of the account that acts first, then the one that acted last.
    all: Vec<(String, Session)>,
    is_chosen: bool,
    is_acting: bool,
}

impl Accounts {
    /// The live sessions of this browser.
    pub async fn of(visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Self> {
        let (signed_in, now) = (&visit.browser.signed_in, visit.cx().now);
        let secrets: Vec<&str> = signed_in.secrets().collect();
        let behind = |secret: &&str| sessions::behind(tx, svc_keys::digest(secret), now, visit.lifetimes());
        let calls: Vec<_> = secrets.iter().map(behind).collect();
        let found = if calls.is_empty() { Vec::new() } else { tx.batch_of(calls).await? };
        let mut all: Vec<(String, Session)> = Vec::new();
        for (secret, rows) in secrets.iter().zip(found) {
            let session = sessions::one(tx, &rows).await?;
            let is_new =
                |session: &Session| all.iter().all(|(_, other)| other.person.id != session.person.id);
            all.extend(session.filter(is_new).map(|session| ((*secret).to_owned(), session)));
        }
        let is_chosen = all.first().is_some_and(|(secret, _)| signed_in.is_chosen(secret));
        Ok(Self { all, is_chosen, is_acting: false })
    }

    /// The same, or the session alone in which support staff act for a person here.
    pub async fn or_acting(visit: &Visit, tx: &mut Tx<Tenant>) -> Result<Self> {
        match acting(visit, tx).await? {
            Some(session) => {
                Ok(Self { all: vec![(String::new(), session)], is_chosen: true, is_acting: true })
            }
            None => Self::of(visit, tx).await,
        }
    }

    /// Whether support staff act here: the sessions of this browser wait meanwhile.
    pub fn is_acting(&self) -> bool {
        self.is_acting
    }

    /// The session of the account that acts.
    pub fn present(&self) -> Option<&Session> {
        self.sessions().next()
    }

    /// The sessions, that of the account that acts first.
    pub fn sessions(&self) -> impl Iterator<Item = &Session> {
        self.all.iter().map(|(_, session)| session)
    }

    /// Whether there are several.
    pub fn are_several(&self) -> bool {
        self.all.len() > 1
    }

    /// Whether there are several, and the person has chosen none of them.
    pub fn is_choice_open(&self) -> bool {
        self.are_several() && !self.is_chosen
    }

    /// The session of an account of this browser, as a form names it.
    pub fn named(&self, id: &str) -> Option<&Session> {
        self.sessions().find(|session| session.id.to_string() == id)
    }

    /// The session of a person in this browser.
    pub fn of_person(&self, person: TenantUserId) -> Option<&Session> {
        self.sessions().find(|session| session.person.id == person)
    }

    /// The person has chosen the account that acts from now on.
    #[must_use]
    pub fn with_chosen(mut self, id: SessionId) -> Self {
        if let Some(at) = self.all.iter().position(|(_, session)| session.id == id) {
            let chosen = self.all.remove(at);
            self.all.insert(0, chosen);
            self.is_chosen = true;
        }
        self
    }

    /// Without sessions that have ended. Where the account that acted is among them, the one that acted before it takes its
    /// place, chosen by no one.
    #[must_use]
    pub fn without(mut self, ended: &[SessionId]) -> Self {
        let is_first_over = self.present().is_some_and(|session| ended.contains(&session.id));
        self.is_chosen &= !is_first_over;
        self.all.retain(|(_, session)| !ended.contains(&session.id));
        self
    }

    /// With a session that has begun, whose account acts from now on. The same person's session before it ends, that of a guest,
    /// and where there are too many the one that acted longest ago.
    pub async fn with_new(
        self,
        visit: &Visit,
        tx: &mut Tx<Tenant>,
        (secret, new): (String, &Session),
    ) -> Result<Self> {
        let same = self.present().is_some_and(|session| session.person.id == new.person.id);
        let most = usize::try_from(visit.config().session_cookie.accounts_per_browser).unwrap_or(1);
        let is_over = |secret: &&str| self.all.iter().all(|(live, _)| live != secret);
        for overdue in visit.browser.signed_in.secrets().filter(is_over) {
            logouts::take_over(tx, svc_keys::digest(overdue), (new.person.id, new.id));
        }
        let mut all = vec![(secret, new.clone())];
        for (secret, old) in self.all {
            let may_stay = old.person.id != new.person.id && !old.person.is_guest();
            if may_stay && all.len() < most {
                all.push((secret, old));
                continue;
            }
            let cx = visit.cx().acting_as(old.person.actor());
            sessions::replace(tx, &cx, &old, new).await?;
            if let Some(organization) = old.organization.filter(|_| old.person.id == new.person.id) {
                sessions::choose(tx, new, organization);
            }
        }
        Ok(Self { all, is_chosen: self.is_chosen && same, is_acting: false })
    }

    /// The cookies that say so.
    pub fn cookies(&self, visit: &Visit) -> Result<SessionCookies> {
        let secrets: Vec<&str> = self.all.iter().map(|(secret, _)| secret.as_str()).collect();
        visit.browser.signed_in.cookies(&secrets, self.is_chosen, visit.lifetimes().absolute)
    }
}
