//! What has been proven so far, and what it amounts to: the one place that computes `amr` and `acr` (OpenID Connect Core
//! §2, RFC 8176, NIST SP 800-63B §4).

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, Timestamp};
use svc_domain::claims::assurance::Level;

/// What kind of thing a method proves (NIST SP 800-63B §3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Factor {
    /// Something that the person knows.
    Knowledge,
    /// A thing that the person has.
    Possession,
    /// An address that receives mail: it never counts as a second factor (NIST SP 800-63B §3.1.3.1).
    Mailbox,
    /// A key that cannot be phished, which its holder unlocks: two factors in itself.
    UnlockedKey,
}

impl Factor {
    /// The name in metrics.
    pub fn label(self) -> &'static str {
        match self {
            Self::Knowledge => "knowledge",
            Self::Possession => "possession",
            Self::Mailbox => "mailbox",
            Self::UnlockedKey => "unlocked_key",
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
    /// When.
    pub at: Timestamp,
}

/// What a person has proven in one sign-in; the pages of the sign-in carry it sealed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    account: Option<AccountId>,
    proofs: Vec<Evidence>,
}

impl Progress {
    /// Who has proven something; `None` before the first proof.
    pub fn account(&self) -> Option<AccountId> {
        self.account
    }

    /// When the first proof was made: a credential that was changed after it takes it back.
    pub fn since(&self) -> Option<Timestamp> {
        self.proofs.iter().map(|proof| proof.at).min()
    }

    /// The progress with one more proof; `None` if it is another person's.
    #[must_use]
    pub fn with(&self, account: AccountId, proof: Evidence) -> Option<Self> {
        let is_same = self.account.is_none_or(|known| known == account);
        is_same.then(|| {
            let proofs = self.proofs.iter().cloned().chain([proof]).collect();
            Self { account: Some(account), proofs }
        })
    }

    /// The factor that was proven first.
    pub fn first(&self) -> Option<Factor> {
        self.proofs.first().map(|proof| proof.factor)
    }

    /// Whether a factor has been proven.
    pub fn has(&self, factor: Factor) -> bool {
        self.proofs.iter().any(|proof| proof.factor == factor)
    }

    /// The strength that all proofs reach together.
    pub fn level(&self) -> Option<Level> {
        reached(self.proofs.iter().map(|proof| proof.factor))
    }

    /// Every method once, in the order of their use, and `mfa` where they are of several factors (RFC 8176 §2).
    pub fn amr(&self) -> Vec<String> {
        let mut amr: Vec<String> = Vec::new();
        let used = self.proofs.iter().flat_map(|proof| proof.amr.iter().cloned());
        let mfa = (self.level() > Some(Level::Aal1)).then(|| "mfa".to_owned());
        for value in used.chain(mfa) {
            if !amr.contains(&value) {
                amr.push(value);
            }
        }
        amr
    }
}

/// The strength that factors reach together.
pub fn reached(factors: impl IntoIterator<Item = Factor>) -> Option<Level> {
    let factors: Vec<Factor> = factors.into_iter().collect();
    let has = |factor| factors.contains(&factor);
    let are_two = has(Factor::Knowledge) && has(Factor::Possession);
    if factors.is_empty() {
        None
    } else if has(Factor::UnlockedKey) || are_two {
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
        Evidence { factor, amr, at: Timestamp::from_secs(at) }
    }

    #[test]
    fn two_kinds_of_factors_are_stronger_than_two_of_one_kind() {
        use Factor::{Knowledge, Mailbox, Possession, UnlockedKey};
        for (factors, level) in [
            (&[][..], None),
            (&[Knowledge], Some(Level::Aal1)),
            (&[Knowledge, Knowledge], Some(Level::Aal1)),
            (&[Possession, Possession], Some(Level::Aal1)),
            (&[Knowledge, Mailbox], Some(Level::Aal1)),
            (&[Possession, Mailbox], Some(Level::Aal1)),
            (&[Knowledge, Possession], Some(Level::Aal2)),
            (&[UnlockedKey], Some(Level::Aal2)),
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
    fn proofs_of_two_people_never_add_up() {
        let ada = Progress::default().with(account(1), proof(Factor::Knowledge, &["pwd"], 1)).unwrap();
        assert_eq!(ada.with(account(2), proof(Factor::Possession, &["otp"], 2)), None);
    }
}
