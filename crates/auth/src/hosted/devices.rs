//! The cookie of a browser in which people have signed in before: what strangers guess or ask for elsewhere does not keep
//! them out there (NIST SP 800-63B §3.2.2).
//!
//! Its proof of an account ends with the account's credentials, and after half a year without a sign-in.

use serde::{Deserialize, Serialize};
use svc_core::{AccountId, Digest, Result, Seconds, Timestamp};
use svc_http::SetCookie;
use svc_keys::{digest, token};

use super::sealed::Carried;
use super::tokens;
use super::visit::Visit;

/// How long a browser stays known after a sign-in.
const LIFETIME: Seconds = Seconds(180 * 86_400);
/// Most accounts that one browser is known for.
const MOST: usize = tokens::MOST;

/// What the cookie says: which browser this is, and who signed in there, the latest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    id: String,
    accounts: Vec<(AccountId, Timestamp)>,
}

impl Carried for Device {
    const LABEL: &'static str = "known device";

    fn expires_at(&self, now: Timestamp, _: Seconds) -> Timestamp {
        now + LIFETIME
    }
}

impl Device {
    /// The device of this browser, if the account signed in there with its present credentials.
    pub fn known(visit: &Visit, account: AccountId, credentials_changed_at: Timestamp) -> Option<Self> {
        let device = Self::of(visit)?;
        let oldest = credentials_changed_at.max(visit.cx().now - LIFETIME);
        let is_known = |(id, at): &(AccountId, Timestamp)| *id == account && *at >= oldest;
        device.accounts.iter().any(is_known).then_some(device)
    }

    /// The cookie after a sign-in of the account, or a change of its credentials, at that time.
    pub fn remember(visit: &Visit, account: AccountId, at: Timestamp) -> Result<SetCookie> {
        let device =
            Self::of(visit).unwrap_or_else(|| Self { id: token(&*visit.cx().entropy), accounts: Vec::new() });
        let value = visit.seal_for_cookie(&device.with(account, at))?;
        visit.browser.device_cookie(&value, LIFETIME)
    }

    /// What is counted for this device and account together.
    pub fn counter(&self, account: AccountId) -> Digest {
        digest(&format!("device {} of {account}", self.id))
    }

    /// The accounts that have signed in in this browser, the latest first.
    pub fn accounts(visit: &Visit) -> Vec<AccountId> {
        Self::of(visit).into_iter().flat_map(|device| device.accounts).map(|(account, _)| account).collect()
    }

    fn of(visit: &Visit) -> Option<Self> {
        visit.open_from_cookie(visit.browser.device()?)
    }

    fn with(self, account: AccountId, now: Timestamp) -> Self {
        let others = self.accounts.into_iter().filter(|(id, _)| *id != account);
        Self { id: self.id, accounts: [(account, now)].into_iter().chain(others).take(MOST).collect() }
    }
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;

    use super::*;
    use crate::fixtures::NOW;

    #[test]
    fn a_browser_is_known_for_the_latest_few_accounts() {
        let account = |seed| AccountId::new(NOW, &SeededEntropy::new(seed));
        let start = Device { id: "d".to_owned(), accounts: Vec::new() };
        let device = (0..18).fold(start, |device, seed| device.with(account(seed), NOW + Seconds(1)));
        let device = device.with(account(4), NOW + Seconds(2));
        let known: Vec<_> = device.accounts.iter().map(|(id, _)| *id).collect();
        let latest = [4].into_iter().chain((5..18).rev()).chain([3, 2]);
        assert_eq!(known, latest.map(account).collect::<Vec<_>>());
        assert_eq!(device.accounts[0].1, NOW + Seconds(2));
        assert_ne!(device.counter(account(4)), device.counter(account(6)));
    }
}
