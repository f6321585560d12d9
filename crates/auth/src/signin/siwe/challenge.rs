//! The message that a wallet shows and signs (EIP-4361). It is made again from what was sealed: what comes back is a signature alone.

use serde::{Deserialize, Serialize};
use svc_core::{Cx, Entropy, Error, OrInternal as _, Result, Seconds, Timestamp};
use svc_db::coordination::Once;
use svc_keys::ethereum::Address;
use svc_keys::hex;
use url::{Position, Url};

/// What a message says besides where it is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Challenge {
    /// The address, with its checksum.
    pub address: String,
    /// The chain that it is on (EIP-155).
    pub chain_id: u64,
    statement: Option<String>,
    nonce: String,
    since: Timestamp,
    until: Timestamp,
}

impl Challenge {
    /// A message for the holder of an address.
    pub fn new(
        cx: &Cx,
        (address, chain_id): (Address, u64),
        (statement, lifetime): (Option<&str>, Seconds),
    ) -> Self {
        // A message says whole seconds.
        let since = Timestamp::from_secs(cx.now.as_secs());
        Self {
            address: address.to_string(),
            chain_id,
            statement: statement.map(str::to_owned),
            nonce: nonce(&*cx.entropy),
            since,
            until: since + lifetime,
        }
    }

    /// The text that is signed, for a page at this origin.
    pub fn message(&self, origin: &str) -> Result<String> {
        let url = Url::parse(origin).or_internal()?;
        // A domain without a scheme is one of https.
        let from = if url.scheme() == "https" { Position::BeforeHost } else { Position::BeforeScheme };
        let domain = &url[from..Position::AfterPort];
        let statement = self.statement.as_ref().map(|text| format!("{text}\n")).unwrap_or_default();
        let Self { address, chain_id, nonce, since, until, .. } = self;
        Ok(format!(
            "{domain} wants you to sign in with your Ethereum account:\n{address}\n\n{statement}\n\
             URI: {origin}\nVersion: 1\nChain ID: {chain_id}\nNonce: {nonce}\n\
             Issued At: {since}\nExpiration Time: {until}"
        ))
    }

    /// Whether it is too old.
    pub fn is_over(&self, now: Timestamp) -> bool {
        now >= self.until
    }

    /// What is noted of it, so that no second signature counts.
    pub fn once(&self) -> Once {
        Once::between(format!("siwe {}", self.nonce), self.since, self.until)
    }

    /// The address.
    pub fn holder(&self) -> Result<Address> {
        Address::parse(&self.address).ok_or_else(|| Error::internal("a sealed address is none"))
    }
}

/// Letters and digits, at least eight.
fn nonce(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 16];
    entropy.fill(&mut bytes);
    hex(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn challenge(statement: Option<&str>) -> Challenge {
        Challenge {
            address: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2".to_owned(),
            chain_id: 1,
            statement: statement.map(str::to_owned),
            nonce: "32891756".to_owned(),
            since: Timestamp::from_secs(1_632_932_653),
            until: Timestamp::from_secs(1_632_932_953),
        }
    }

    #[test]
    fn a_message_is_as_the_example_of_the_standard() {
        let statement = "I accept the ExampleOrg Terms of Service: https://example.com/tos";
        assert_eq!(
            challenge(Some(statement)).message("https://example.com").unwrap(),
            "example.com wants you to sign in with your Ethereum account:\n\
             0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2\n\
             \n\
             I accept the ExampleOrg Terms of Service: https://example.com/tos\n\
             \n\
             URI: https://example.com\n\
             Version: 1\n\
             Chain ID: 1\n\
             Nonce: 32891756\n\
             Issued At: 2021-09-29T16:24:13Z\n\
             Expiration Time: 2021-09-29T16:29:13Z"
        );
    }

    #[test]
    fn a_message_without_a_statement_has_its_empty_line_all_the_same() {
        let message = challenge(None).message("https://example.com:8443").unwrap();
        assert!(message.starts_with("example.com:8443 wants you to sign in"), "{message}");
        assert!(message.contains("Cc2\n\n\nURI: https://example.com:8443\n"), "{message}");
    }

    #[test]
    fn a_domain_that_is_not_of_https_says_so() {
        let message = challenge(None).message("http://localhost:8080").unwrap();
        assert!(message.starts_with("http://localhost:8080 wants you to sign in"), "{message}");
    }
}
