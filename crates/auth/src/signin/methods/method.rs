//! What a way to sign in is: a ceremony of one step or of two, which ends in a proof (RFC 8176, NIST SP 800-63B §4).

use std::pin::Pin;

use serde_json::Value;
use svc_core::{Class, ConnectorId, CredentialId, Cx, Digest, Result, Seconds, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::apps::App;
use svc_domain::claims::assurance::Level;
use svc_domain::coordination::attempts;
use svc_domain::people::accounts::{self, Account};
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::credentials::identities::{self, Identity};
use svc_domain::people::credentials::passkeys::Created;
use svc_domain::people::credentials::{self, Credential, Kind, Owner};
use svc_domain::people::tenant_users::{Person, Status};
use svc_domain::tokens::revocations::{self, Revoked};
use svc_http::{HostCx, Params, StatusCode};

use super::new_totp;
use crate::hosted::Visit;
use crate::pages::MessageKey;
use crate::signin::offers;
use crate::signin::progress::{Factor, Progress, reached};
use crate::signin::social::UserClaims;
use crate::signin::sso::Vouched;
use crate::signin::used_passkey::Used;

/// A way to prove who one is.
pub struct Method {
    /// The value of the form's `method`.
    pub id: &'static str,
    /// What kind of thing it proves.
    pub factor: Factor,
    /// Its `amr` values.
    pub amr: &'static [&'static str],
    /// Whether the tenant offers it.
    pub is_offered: fn(&HostCx) -> bool,
    /// Whether a sign-in can begin with it; the others follow a first proof.
    pub is_first: bool,
    /// Whether a person who has lost the password may choose a new one by it: not what only one tenant vouches for, and nothing that
    /// follows a first proof.
    pub recovers: bool,
    /// What a person must have for it.
    pub needs: Needs,
    /// Begins a ceremony of two steps: a challenge, a redirect, a message sent. A method whose form says everything has
    /// no beginning.
    pub begin: Option<for<'a> fn(Turn<'a>) -> Beginning<'a>>,
    /// Judges what the form or the redirect brought.
    pub finish: for<'a> fn(Turn<'a>) -> Judging<'a>,
    /// The template of its part of the sign-in page.
    pub partial: &'static str,
    /// What that part has to choose from before the method begins; there is no part where there is nothing.
    pub lists: Option<fn(&HostCx, ListedFor) -> Option<Value>>,
}

/// What a page lists the choices of a method for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedFor {
    /// A sign-in.
    SignIn,
    /// A new password, which counts in every tenant.
    Recovery,
}

impl Method {
    /// The strength that a sign-in reaches by it alone; none where it proves nothing, or only follows another proof.
    pub fn level(&self) -> Option<Level> {
        reached([self.factor]).filter(|_| self.is_first)
    }
}

/// What a person must have for a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing that we keep.
    Nothing,
    /// Nothing, as long as nothing was proven before: it is a first step only.
    NoProof,
    /// No account yet: the method makes a guest.
    NoAccount,
    /// A password.
    Password,
    /// A credential of this kind.
    Credential(Kind),
    /// No second factor yet: the method sets one up in the middle of a sign-in that cannot do without.
    NoSecondFactor,
}

/// What a method is given for one step.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The browser.
    pub visit: &'a Visit,
    /// The application that the person is on the way to, if it is one.
    pub app: Option<&'a App>,
    /// What was proven before.
    pub progress: &'a Progress,
    /// What its beginning left for its end, which the browser carried sealed.
    pub memory: &'a Value,
    /// What came in.
    pub params: &'a Params,
    /// How old the sign-in at a provider may be, where that matters.
    pub max_age: Option<Seconds>,
    /// Whether two factors are wanted, as far as that is known before the person is.
    pub wants_second_factor: bool,
    /// Whether it leads to a new password instead of a session.
    pub recovers: bool,
}

/// A beginning being made.
pub type Beginning<'a> = Pin<Box<dyn Future<Output = Result<Begun>> + Send + 'a>>;

/// How a ceremony goes on after its beginning.
pub enum Begun {
    /// On the page, by the method's part of it.
    Ask {
        /// What the part shows, such as a challenge.
        shown: Value,
        /// What the end needs to know.
        memory: Value,
    },
    /// Elsewhere. The browser comes back with the state that the engine appends to the address.
    Leave {
        /// The address.
        url: String,
        /// The parameter that carries the state: `state` (RFC 6749 §4.1.1) or `RelayState` (SAML).
        state_parameter: &'static str,
        /// Where the browser comes back to: below `/auth/return/`, an address for each site, so that the answer of one is not
        /// taken for another's (RFC 9700 §4.4.2).
        return_path: String,
        /// Whether the answer may come through a relay, where `[oauth_proxy]` names one.
        may_be_relayed: bool,
        /// Whether the site takes no long state: the browser carries it, and the site gets its name.
        wants_short_state: bool,
        /// What the end needs to know.
        memory: Value,
    },
    /// Nowhere: the page is shown again.
    Refused(StatusCode, MessageKey),
    /// Nowhere: the form of the method is shown again as it was.
    Again(StatusCode, MessageKey),
}

/// A judgement being made.
pub type Judging<'a> = Pin<Box<dyn Future<Output = Result<Verdict>> + Send + 'a>>;

/// What a method found.
pub enum Verdict {
    /// The person is who they say.
    Proven(Box<Proof>),
    /// Not proven: the form is shown again, the same for every reason that could tell who has an account.
    Refused(StatusCode, MessageKey),
    /// Proven to another provider, whose person no account knows.
    Stranger(Box<UserClaims>),
    /// Proven to another provider, for the account to which that identity is to be added.
    Links(String, Box<Identity>),
}

/// A proof that is to be settled in the transaction that takes note of it.
pub struct Proof {
    /// Who, as read before the proof was judged.
    pub account: Account,
    /// The counters of wrong guesses that a right one clears.
    pub counters: Vec<Digest>,
    /// The hash of the password by today's parameters, where the stored one is by older ones.
    pub rehashed: Option<String>,
    /// The counter of the client address, from which a right guess is taken back.
    pub address_counter: Option<String>,
    /// What becomes of the credential.
    pub effect: Effect,
    /// What this proof shows, where that is not the same for each use of the method.
    pub shown: Option<Shown>,
    /// The provider that vouches for the person.
    pub vouched: Option<Vouched>,
    /// The connector on whose word it rests, where that counts in its tenant alone.
    pub connector: Option<ConnectorId>,
    /// When a provider last saw the person prove who they are, where it says so.
    pub seen_at: Option<Timestamp>,
}

/// What a proof shows.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// What kind of thing.
    pub factor: Factor,
    /// How, as `amr` values.
    pub amr: &'static [&'static str],
}

/// What a proof does to the credentials of the account, in the transaction that takes note of it.
#[derive(Default)]
pub enum Effect {
    /// Nothing.
    #[default]
    None,
    /// Proves the address of the account for the first time, and hands the account to its owner.
    TakesOver,
    /// Uses one up to this mark: what was used so far does not count again, on any node.
    Uses(CredentialId, i64),
    /// Adds an app that makes one-time codes, whose first code was used.
    AddsTotp(Box<new_totp::New>),
    /// Adds a passkey, which the browser has just made.
    AddsPasskey(Box<Created>),
    /// Uses a passkey.
    UsesPasskey(Box<Used>),
    /// Uses an identity at another provider.
    UsesIdentity(Box<Credential>),
}

impl Proof {
    /// A proof that no guess could have made.
    pub fn of(account: Account) -> Self {
        Self {
            account,
            counters: Vec::new(),
            rehashed: None,
            address_counter: None,
            effect: Effect::None,
            shown: None,
            vouched: None,
            connector: None,
            seen_at: None,
        }
    }

    /// Clears the counters and returns the account and its membership as they are now; `None` if the person may not enter
    /// here, if a credential was changed while the proof was being judged, or since the first proof of the sign-in, or if what was
    /// proven before is over. The credentials are held from then on: who ends what sign-ins have begun waits, and ends what follows.
    pub async fn settle(
        &self,
        tx: &mut Tx<Tenant>,
        cx: &Cx,
        (host, progress): (&HostCx, &Progress),
    ) -> Result<Option<Candidate>> {
        let (before, since) = (&self.account, progress.since());
        let is_same = |now: &Account| {
            let is_unproven = now.email == before.email && !now.email_verified;
            now.credentials_changed_at == before.credentials_changed_at
                && now.password == before.password
                && since.is_none_or(|since| now.credentials_changed_at <= since)
                && (is_unproven || !matches!(self.effect, Effect::TakesOver))
        };
        credentials::hold(tx, before.id);
        let candidate = changes::candidate(tx, before.id).await?;
        let Some(candidate) = candidate.filter(|now| is_same(&now.account) && may_enter(host, now)) else {
            return Ok(None);
        };
        if !changes::may_join(tx, &candidate).await? || has_ended(tx, &candidate, progress).await? {
            return Ok(None);
        }
        if !self.take_effect(tx, cx, (host, &candidate)).await? {
            return Ok(None);
        }
        self.clear(tx, host);
        if let (Some(old), Some(new)) = (&before.password, &self.rehashed) {
            accounts::rehash_password(tx, before.id, old, new);
            tracing::debug!(request_id = cx.request_id, "a password hash was renewed");
        }
        match self.effect {
            Effect::TakesOver => changes::candidate(tx, before.id).await,
            _ => Ok(Some(candidate)),
        }
    }
}

impl Proof {
    /// The credential that was used, where the account has one for it.
    pub fn credential(&self) -> Option<CredentialId> {
        match &self.effect {
            Effect::Uses(id, _) => Some(*id),
            Effect::UsesPasskey(used) => Some(used.credential.id),
            Effect::UsesIdentity(identity) => Some(identity.id),
            Effect::None | Effect::TakesOver | Effect::AddsTotp(_) | Effect::AddsPasskey(_) => None,
        }
    }

    /// Clears what was counted when this was still a guess.
    pub fn clear(&self, tx: &mut Tx<Tenant>, host: &HostCx) {
        // The counter of the address comes first here as in guesses, so that two transactions cannot wait for each other.
        if let Some(counter) = &self.address_counter {
            let window = host.app.config.auth.password_verify_ip_window_secs;
            host.app.coordination.give_back_within(tx, counter, window, host.cx.now);
        }
        for counter in &self.counters {
            attempts::clear(tx, *counter);
        }
    }

    /// Whether the credential can still be used so.
    async fn take_effect(
        &self,
        tx: &mut Tx<Tenant>,
        cx: &Cx,
        (host, candidate): (&HostCx, &Candidate),
    ) -> Result<bool> {
        match &self.effect {
            Effect::None => Ok(true),
            Effect::TakesOver => {
                let (_, cx) = by_owner(cx, candidate);
                match changes::hand_over(tx, &cx, &candidate.account, None).await {
                    // It has changed since it was read.
                    Err(error) if error.class() == Class::Conflict => Ok(false),
                    handed => handed.map(|()| true),
                }
            }
            Effect::Uses(id, mark) => credentials::use_once(tx, cx, *id, *mark).await,
            Effect::UsesPasskey(used) => used.note(tx, cx).await,
            Effect::UsesIdentity(identity) => identities::used(tx, cx, identity).await,
            Effect::AddsTotp(new) => {
                // Held, so that of two sign-ins at once the second finds the app of the first.
                let present = credentials::held_of_account(tx, candidate.account.id).await?;
                let has_app = present.iter().any(|credential| credential.kind == Some(Kind::Totp));
                if has_app || !is_as_read(tx, candidate).await? {
                    return Ok(false);
                }
                let (owner, cx) = by_owner(cx, candidate);
                new.add(tx, &cx, (owner, &host.app.services)).await.map(|()| true)
            }
            Effect::AddsPasskey(created) => {
                let (owner, cx) = by_owner(cx, candidate);
                match created.keep(tx, &cx, owner, created.first_name()).await {
                    Err(error) if error.class() == Class::Conflict => Ok(false),
                    Err(error) => Err(error),
                    Ok(()) => is_as_read(tx, candidate).await,
                }
            }
        }
    }
}

/// Whether the account still has the credentials that were read, now that they are held.
async fn is_as_read(tx: &mut Tx<Tenant>, Candidate { account, .. }: &Candidate) -> Result<bool> {
    match accounts::must_be_as_read(tx, account.id, account.credentials_changed_at).await {
        Err(error) if error.class() == Class::Forbidden => Ok(false),
        read => read.map(|()| true),
    }
}

/// Whose credential is added, by that person.
fn by_owner(cx: &Cx, candidate: &Candidate) -> (Owner, Cx) {
    let as_person = |person: &Person| cx.acting_as(person.actor());
    (Owner::from(candidate), candidate.member.as_ref().map_or_else(|| cx.clone(), as_person))
}

/// Whether a person may enter the tenant: as a member, or by joining where people may register themselves or an import has
/// brought them. Joining takes a proven address: the password of an account without one may be another person's choice. An account
/// that has neither is opened by what its owner has added alone.
pub fn may_enter(host: &HostCx, candidate: &Candidate) -> bool {
    let account = &candidate.account;
    let is_own = account.email_verified || (account.email.is_none() && account.password.is_none());
    let is_proven = account.is_active && is_own;
    match &candidate.member {
        Some(member) if member.status == Status::PreProvisioned => is_proven,
        Some(member) => member.may_sign_in(),
        None => is_proven && offers::sign_up(host),
    }
}

/// Whether what was proven so far is over: a credential by which it was proven was removed since, or everything of a member has ended in
/// this tenant. What a first proof has ended itself, by handing the account to its owner, ended at that very time.
pub async fn has_ended(tx: &mut Tx<Tenant>, candidate: &Candidate, progress: &Progress) -> Result<bool> {
    let used: Vec<CredentialId> = progress.credentials().collect();
    if !used.is_empty() {
        let present = credentials::of_account(tx, candidate.account.id).await?;
        if used.iter().any(|used| present.iter().all(|one| one.id != *used)) {
            return Ok(true);
        }
    }
    let (Some(member), Some(since)) = (&candidate.member, progress.since()) else { return Ok(false) };
    let later = Timestamp::from_micros(since.as_micros().saturating_add(1));
    let mark = Revoked::Subject(member.subject.clone());
    revocations::has_ended(tx, later, &[mark.clone(), mark]).await
}
