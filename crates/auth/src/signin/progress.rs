//! What has been proven so far, and what it amounts to: the one place that computes `amr` and `acr` (OpenID Connect Core
//! §2, RFC 8176, NIST SP 800-63B §4).

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, ConnectorId, CredentialId, Seconds, SessionId, Timestamp};
use svc_domain::claims::assurance::{Level, TRUSTED_BROWSER};
use svc_domain::people::sessions::Session;
use svc_http::{RECENT_SIGN_IN, is_recent};

use super::rated::Rated;
use super::sso::Vouched;

/// How long what was proven first counts, however often its pages are shown: as long as it is remembered which of their forms were sent.
pub const LONGEST: Seconds = Seconds(3600);

/// What kind of thing a method proves (NIST SP 800-63B §3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Factor {
    /// Nothing: the person has not said who they are.
    Nothing,
    /// Something that the person knows.
    Knowledge,
    /// A thing that the person has.
    Possession,
    /// A key of the person's own, of which it is not known how it is kept.
    Key,
    /// An address that receives mail: it never counts as a second factor (NIST SP 800-63B §3.1.3.1).
    Mailbox,
    /// A key that cannot be phished, which its holder unlocks: two factors in itself.
    UnlockedKey,
    /// The word of another provider: that of the person's organization, or one at which they have an account.
    Federated,
    /// The same where the provider saw several factors, and is trusted to.
    FederatedTwice,
}

impl Factor {
    /// The name in metrics.
    pub fn label(self) -> &'static str {
        match self {
            Self::Nothing => "none",
            Self::Knowledge => "knowledge",
            Self::Possession => "possession",
            Self::Key => "key",
            Self::Mailbox => "mailbox",
            Self::UnlockedKey => "unlocked_key",
            Self::Federated | Self::FederatedTwice => "federated",
        }
    }

    /// Whether it shows that the holder unlocked it: with a finger, a face or a PIN (WebAuthn §6.2.3).
    pub fn verifies_user(self) -> bool {
        self == Self::UnlockedKey
    }

    /// Whether another site that asks for it gets nothing that opens anything here (NIST SP 800-63B §5.2.5).
    pub fn resists_phishing(self) -> bool {
        self == Self::UnlockedKey
    }

    /// What an `amr` value of a session stands for by itself (RFC 8176 §2).
    fn of_amr(value: &str) -> Option<Self> {
        match value {
            "pwd" => Some(Self::Knowledge),
            "fed" | "social" | "connector" => Some(Self::Federated),
            "otp" | "sms" | "hwk" | "swk" => Some(Self::Possession),
            "pop" => Some(Self::Key),
            _ => None,
        }
    }
}

/// What one method has proven.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// What kind of thing.
    pub factor: Factor,
    /// How, as `amr` values.
    pub amr: Vec<String>,
    /// When it was given here.
    pub at: Timestamp,
    /// When a provider last saw the person prove who they are, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_at: Option<Timestamp>,
    /// The credential by which it was proven, where the account has one for it: the proof ends with that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential: Option<CredentialId>,
}

/// What a person has proven in one sign-in; the pages of the sign-in carry it sealed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    account: Option<AccountId>,
    /// The session whose proofs are the first ones, where the person adds to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<SessionId>,
    /// When the person has last proven something, where that was on the way to that session or has been added to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proven_at: Option<Timestamp>,
    proofs: Vec<Evidence>,
    /// Whether the browser is one in which the person need not prove a second factor.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_trusted: bool,
    /// The provider that has vouched for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vouched: Option<Vouched>,
    /// The connector on whose word it rests, where that counts in its tenant alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    connector: Option<ConnectorId>,
    /// How unusual the sign-in is, where that was rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rated: Option<Rated>,
    /// Whether a hook asks for a second factor.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    owes_factor: bool,
    /// Whether the person wants it to be from now on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    wants_trust: bool,
}

impl Progress {
    /// Who has proven something; `None` before the first proof.
    pub fn account(&self) -> Option<AccountId> {
        self.account
    }

    /// Whether it adds to what a session has proven.
    pub fn is_of_session(&self) -> bool {
        self.session.is_some()
    }

    /// Whether the person has proven something recently enough to change how they sign in: an open session alone does not show that it
    /// is still that person who uses the browser.
    pub fn is_recent(&self, now: Timestamp) -> bool {
        self.proven_at.is_none_or(|at| is_recent(at, RECENT_SIGN_IN, now))
    }

    /// When the first proof was made: a credential that was changed after it takes it back.
    pub fn since(&self) -> Option<Timestamp> {
        self.proofs.iter().map(|proof| proof.at).min()
    }

    /// The credentials by which the person has proven something.
    pub fn credentials(&self) -> impl Iterator<Item = CredentialId> {
        self.proofs.iter().filter_map(|proof| proof.credential)
    }

    /// When the person has signed in, where that is done now (OpenID Connect Core §2): a provider may have vouched for a session there.
    pub fn auth_time(&self, now: Timestamp) -> Timestamp {
        let seen_at = self.proofs.last().and_then(|proof| proof.seen_at);
        seen_at.map_or(now, |seen_at| seen_at.min(now))
    }

    /// When this sign-in is over at the latest; what is added to a session ends with the session.
    pub fn ends_at(&self) -> Option<Timestamp> {
        self.since().filter(|_| !self.is_of_session()).map(|since| since + LONGEST)
    }

    /// The same whether the browser is trusted, or is to be: by that a step counts once.
    #[must_use]
    pub fn without_trust(&self) -> Self {
        Self { wants_trust: false, is_trusted: false, ..self.clone() }
    }

    /// The progress with one more proof; `None` if it is another person's.
    #[must_use]
    pub fn with(&self, account: AccountId, proof: Evidence) -> Option<Self> {
        let is_same = self.account.is_none_or(|known| known == account);
        is_same.then(|| {
            let proven_at = self.proven_at.map(|_| proof.seen_at.unwrap_or(proof.at));
            let proofs = self.proofs.iter().cloned().chain([proof]).collect();
            Self { account: Some(account), proven_at, proofs, ..self.clone() }
        })
    }

    /// The progress as it would be with a password as well.
    #[must_use]
    pub fn after_password(&self) -> Self {
        let at = Timestamp::from_micros(0);
        let (factor, amr) = (Factor::Knowledge, Vec::new());
        let password = Evidence { factor, amr, at, seen_at: None, credential: None };
        Self { proofs: self.proofs.iter().cloned().chain([password]).collect(), ..self.clone() }
    }

    /// The progress of the first proof alone.
    #[must_use]
    pub fn beginning(&self) -> Self {
        Self { proofs: self.proofs.iter().take(1).cloned().collect(), ..self.clone() }
    }

    /// What a live session has proven, for a step-up in its middle.
    pub fn of_session(session: &Session) -> Self {
        let amr = &session.authentication.amr;
        // A mailed code has the same value as one of an app, and never makes a sign-in one of several factors.
        let is_of_several = amr.iter().any(|value| value == "mfa");
        let of_amr = |value| match Factor::of_amr(value) {
            Some(Factor::Possession) if value == "otp" && !is_of_several => Some(Factor::Mailbox),
            factor => factor,
        };
        let factors = amr.iter().filter_map(|value| of_amr(value));
        let factors: Vec<Factor> = factors.collect();
        let at = session.began_at;
        let proof = |factor| Evidence { factor, amr: amr.clone(), at, seen_at: None, credential: None };
        Self {
            account: Some(session.person.account_id),
            session: Some(session.id),
            proven_at: Some(session.authentication.auth_time),
            proofs: factors.into_iter().map(proof).collect(),
            ..Self::default()
        }
    }

    /// The progress in a browser that the person trusts.
    #[must_use]
    pub fn trusting(self, is_trusted: bool) -> Self {
        Self { is_trusted, ..self }
    }

    /// Whether the browser stands for a second factor.
    pub fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    /// The progress of a person who wants to trust the browser.
    #[must_use]
    pub fn wanting_trust(self) -> Self {
        Self { wants_trust: true, ..self }
    }

    /// Whether the browser is to be trusted from now on: the person wants it and has proven a second factor.
    pub fn earns_trust(&self) -> bool {
        self.wants_trust && self.level() > Some(Level::Aal1)
    }

    /// The progress of a person of whom a hook asks a second factor, in whatever browser.
    #[must_use]
    pub fn owing_factor(self, owes_factor: bool) -> Self {
        Self { owes_factor: self.owes_factor || owes_factor, ..self }
    }

    /// Whether a hook asks for a second factor.
    pub fn owes_factor(&self) -> bool {
        self.owes_factor
    }

    /// The progress of a person for whom a provider has vouched.
    #[must_use]
    pub fn vouched_by(self, vouched: Option<Vouched>) -> Self {
        Self { vouched: vouched.or(self.vouched), ..self }
    }

    /// The provider that has vouched.
    pub fn vouched(&self) -> Option<&Vouched> {
        self.vouched.as_ref()
    }

    /// The progress of a person who has come by a connector whose word counts in its tenant alone.
    #[must_use]
    pub fn by_connector(self, connector: Option<ConnectorId>) -> Self {
        Self { connector: connector.or(self.connector), ..self }
    }

    /// That connector.
    pub fn connector(&self) -> Option<ConnectorId> {
        self.connector
    }

    /// The progress of a sign-in that was rated.
    #[must_use]
    pub fn with_rating(self, rated: Rated) -> Self {
        Self { rated: Some(rated), ..self }
    }

    /// How unusual the sign-in is, where that was rated.
    pub fn rated(&self) -> Option<&Rated> {
        self.rated.as_ref()
    }

    /// The factors that have been proven.
    pub fn factors(&self) -> impl Iterator<Item = Factor> {
        self.proofs.iter().map(|proof| proof.factor)
    }

    /// The factor that was proven first.
    pub fn first(&self) -> Option<Factor> {
        self.proofs.first().map(|proof| proof.factor)
    }

    /// The strength that all proofs reach together.
    pub fn level(&self) -> Option<Level> {
        reached(self.factors())
    }

    /// Every method once, in the order of their use, and `mfa` where they are of several factors (RFC 8176 §2). Only where they are of
    /// one has a trusted browser stood in for another.
    pub fn amr(&self) -> Vec<String> {
        let mut amr: Vec<String> = Vec::new();
        let used = self.proofs.iter().flat_map(|proof| proof.amr.iter().cloned());
        let is_of_several = self.level() > Some(Level::Aal1);
        let mfa = is_of_several.then(|| "mfa".to_owned());
        let trusted = self.is_trusted.then(|| TRUSTED_BROWSER.to_owned());
        for value in used.chain(mfa).chain(trusted) {
            let is_needless = is_of_several && value == TRUSTED_BROWSER;
            if !is_needless && !amr.contains(&value) {
                amr.push(value);
            }
        }
        amr
    }
}

/// The strength that factors reach together.
pub fn reached(factors: impl IntoIterator<Item = Factor>) -> Option<Level> {
    let factors: Vec<Factor> = factors.into_iter().filter(|factor| *factor != Factor::Nothing).collect();
    let has = |factor| factors.contains(&factor);
    let is_of_two = (has(Factor::Knowledge) || has(Factor::Federated)) && has(Factor::Possession);
    let are_two = is_of_two || (has(Factor::Knowledge) && has(Factor::Key));
    if factors.is_empty() {
        None
    } else if has(Factor::UnlockedKey) || has(Factor::FederatedTwice) || are_two {
        Some(Level::Aal2)
    } else {
        Some(Level::Aal1)
    }
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;

    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_700_000_000);

    fn account(seed: u64) -> AccountId {
        AccountId::new(NOW, &SeededEntropy::new(seed))
    }

    fn proof(factor: Factor, amr: &[&str], at: i64) -> Evidence {
        let amr = amr.iter().map(|value| (*value).to_owned()).collect();
        Evidence { factor, amr, at: Timestamp::from_secs(at), seen_at: None, credential: None }
    }

    #[test]
    fn two_kinds_of_factors_are_stronger_than_two_of_one_kind() {
        use Factor::{Federated, FederatedTwice, Key, Knowledge, Mailbox, Nothing, Possession, UnlockedKey};
        for (factors, level) in [
            (&[][..], None),
            (&[Nothing], None),
            (&[Knowledge], Some(Level::Aal1)),
            (&[Knowledge, Knowledge], Some(Level::Aal1)),
            (&[Possession, Possession], Some(Level::Aal1)),
            (&[Knowledge, Mailbox], Some(Level::Aal1)),
            (&[Possession, Mailbox], Some(Level::Aal1)),
            (&[Knowledge, Possession], Some(Level::Aal2)),
            (&[UnlockedKey], Some(Level::Aal2)),
            (&[Federated], Some(Level::Aal1)),
            (&[Federated, Knowledge], Some(Level::Aal1)),
            (&[Federated, Possession], Some(Level::Aal2)),
            (&[FederatedTwice], Some(Level::Aal2)),
            (&[Key], Some(Level::Aal1)),
            (&[Key, Possession], Some(Level::Aal1)),
            (&[Key, Federated], Some(Level::Aal1)),
            (&[Key, Knowledge], Some(Level::Aal2)),
        ] {
            assert_eq!(reached(factors.iter().copied()), level, "{factors:?}");
        }
    }

    #[test]
    fn amr_names_each_method_once_and_several_factors_as_mfa() {
        let start = Progress::default();
        let first = start.with(account(1), proof(Factor::Knowledge, &["pwd"], 20)).unwrap();
        assert_eq!((first.amr(), first.level()), (vec!["pwd".to_owned()], Some(Level::Aal1)));
        let again = first.with(account(1), proof(Factor::Knowledge, &["pwd"], 30)).unwrap();
        assert_eq!(again.amr(), ["pwd"]);
        let both = again.with(account(1), proof(Factor::Possession, &["otp"], 10)).unwrap();
        assert_eq!(
            (both.amr().as_slice(), both.level()),
            (&["pwd", "otp", "mfa"].map(str::to_owned)[..], Some(Level::Aal2))
        );
        assert_eq!(both.since(), Some(Timestamp::from_secs(10)));
    }

    #[test]
    fn a_trusted_browser_is_named_only_where_it_stood_in_for_a_second_factor() {
        let password =
            |amr: &[&str]| Progress::default().with(account(1), proof(Factor::Knowledge, amr, 1)).unwrap();
        let of_sign_in = password(&["pwd"]).trusting(true);
        let of_session = password(&["pwd", TRUSTED_BROWSER]);
        for first in [of_sign_in, of_session] {
            assert_eq!(first.amr(), ["pwd", TRUSTED_BROWSER]);
            let both = first.with(account(1), proof(Factor::Possession, &["otp"], 2)).unwrap();
            assert_eq!(both.amr(), ["pwd", "otp", "mfa"]);
        }
    }

    #[test]
    fn a_sign_in_is_as_old_as_what_was_proven_last() {
        let seen_at = Some(Timestamp::from_secs(5));
        let word = Evidence { seen_at, ..proof(Factor::Federated, &["social"], 20) };
        let first = Progress::default().with(account(1), word).unwrap();
        assert_eq!(
            (first.auth_time(NOW), first.since()),
            (Timestamp::from_secs(5), Some(Timestamp::from_secs(20)))
        );
        let both = first.with(account(1), proof(Factor::Possession, &["otp"], 30)).unwrap();
        assert_eq!(both.auth_time(NOW), NOW);
    }

    #[test]
    fn proofs_of_two_people_never_add_up() {
        let ada = Progress::default().with(account(1), proof(Factor::Knowledge, &["pwd"], 1)).unwrap();
        assert_eq!(ada.with(account(2), proof(Factor::Possession, &["otp"], 2)), None);
    }
}
