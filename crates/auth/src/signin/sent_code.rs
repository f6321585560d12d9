//! A code that was sent to an address or a number, as the browser carries it sealed: used once on every node, and bounded in its
//! guesses (NIST SP 800-63B §3.1.3).

use serde::{Deserialize, Serialize};
use svc_core::text::one_time_code;
use svc_core::{Cx, Entropy, Result, Seconds, Timestamp};
use svc_db::coordination::Once;
use svc_domain::coordination::attempts::{self, Policy, Reservation};
use svc_domain::people::accounts::Account;
use svc_http::HostCx;
use svc_keys::{base64url, constant_time_eq, digest, token};

/// A code under way; it looks the same where no message went out.
#[derive(Serialize, Deserialize)]
pub struct SentCode {
    /// Names the code where its guesses are counted and its use is noted.
    id: String,
    /// The address or the number.
    pub to: String,
    /// The digest of the code.
    code: String,
    at: Timestamp,
    /// When it ceases to count.
    pub until: Timestamp,
}

/// How many digits a code has, how long it counts, and how many guesses it bears.
#[derive(Clone, Copy)]
pub struct Terms {
    /// Digits.
    pub length: u32,
    /// Life.
    pub lifetime: Seconds,
    /// Guesses.
    pub most: u32,
}

impl SentCode {
    /// A new code, and what is to be sent.
    pub fn new(cx: &Cx, to: &str, terms: Terms) -> (Self, String) {
        let (id, code) = (token(&*cx.entropy), digits(terms.length, &*cx.entropy));
        let until = cx.now + terms.lifetime;
        (Self { code: hashed(&id, &code), id, to: to.to_owned(), at: cx.now, until }, code)
    }

    /// Whether it is the code that was typed or copied.
    pub fn is(&self, typed: &str) -> bool {
        constant_time_eq(hashed(&self.id, &one_time_code(typed)).as_bytes(), self.code.as_bytes())
    }

    /// Whether it was sent since the account was given other credentials: with a change of these ends what was under way before.
    pub fn is_since_change(&self, account: &Account) -> bool {
        account.credentials_changed_at <= self.at
    }

    /// The code as it is where its message goes out; where none does, no one can know it, and nothing is it.
    #[must_use]
    pub fn where_sent(self, cx: &Cx, is_sent: bool) -> Self {
        let other = hashed(&self.id, &token(&*cx.entropy));
        if is_sent { self } else { Self { code: other, ..self } }
    }

    /// Takes the one guess that the code still bears while strangers guess at its address; whether it was there to be taken, on any node.
    pub async fn take_one(&self, host: &HostCx) -> Result<bool> {
        let once = Once::between(format!("one guess at {}", self.id), self.at, self.until);
        Ok(host.cx.now < self.until && host.app.coordination.note(&once, host.cx.now).await?)
    }

    /// Uses it up; whether it was there to be used, on any node.
    pub async fn spend(&self, host: &HostCx) -> Result<bool> {
        let once = Once::between(format!("mailed code {}", self.id), self.at, self.until);
        host.app.coordination.note(&once, host.cx.now).await
    }

    /// Counts a guess and commits it, so that parallel guesses cannot outrun the counter.
    pub async fn count(&self, host: &HostCx, (method, terms): (&str, Terms)) -> Result<Reservation> {
        let policy = Policy { max_attempts: terms.most, lockout: terms.lifetime };
        let code = digest(&format!("{method} code {}", self.id));
        let [counted] = attempts::reserve(host.begin().await?, &host.cx, [code], policy).await?;
        Ok(counted)
    }
}

fn hashed(id: &str, code: &str) -> String {
    base64url(digest(&format!("{id} {code}")).0)
}

/// So many random digits; of 64 random bits the last ten are as good as evenly distributed.
pub fn digits(length: u32, entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 8];
    entropy.fill(&mut bytes);
    let width = length.min(10);
    let number = u64::from_le_bytes(bytes) % 10_u64.pow(width);
    format!("{number:0width$}", width = width as usize)
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;

    use super::*;
    use crate::fixtures::{NOW, cx};

    #[test]
    fn a_code_that_was_not_sent_cannot_be_typed() {
        let cx = cx(NOW);
        let terms = Terms { length: 6, lifetime: Seconds(300), most: 5 };
        for is_sent in [true, false] {
            let (sent, code) = SentCode::new(&cx, "ada@example.com", terms);
            let length = serde_json::to_string(&sent).unwrap().len();
            let sent = sent.where_sent(&cx, is_sent);
            assert_eq!(sent.is(&code), is_sent);
            assert_eq!(serde_json::to_string(&sent).unwrap().len(), length);
        }
    }

    #[test]
    fn codes_have_their_length_whatever_they_begin_with() {
        let entropy = SeededEntropy::new(7);
        for length in 6..=10 {
            for _ in 0..200 {
                let code = digits(length, &entropy);
                assert_eq!(code.len(), length as usize, "{code}");
                assert!(code.bytes().all(|letter| letter.is_ascii_digit()), "{code}");
            }
        }
    }
}
