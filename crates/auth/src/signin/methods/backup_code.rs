//! Second factor by a code from paper (NIST SP 800-63B §3.1.2): each counts once.

use svc_core::{AccountId, Digest, Entropy, Result};
use svc_domain::people::credentials::{self, Kind, lookup_of};
use svc_http::StatusCode;
use svc_keys::digest;

use super::method::{Effect, Judging, Method, Needs, Proof, Turn, Verdict};
use crate::pages::MessageKey;
use crate::signin::progress::Factor;
use crate::signin::second_factor::SecondGuess;

/// A code that the person has kept.
pub const METHOD: Method = Method {
    id: "backup_code",
    factor: Factor::Possession,
    amr: &["otp"],
    is_offered: |host| host.app.config.two_factor.enabled,
    is_first: false,
    recovers: false,
    needs: Needs::Credential(Kind::BackupCode),
    begin: None,
    finish: |turn| -> Judging<'_> { Box::pin(judge(turn)) },
    partial: "_backup_code.html",
    lists: None,
};

/// Letters of codes: none that is taken for another.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Letters of one code: 80 bits, so that a digest is enough to keep of it.
const LENGTH: usize = 16;

/// A new code, in groups of four.
pub fn new_code(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; LENGTH];
    entropy.fill(&mut bytes);
    let letter = |byte: &u8| ALPHABET.get(usize::from(byte % 32)).copied().map(char::from);
    let letters: Vec<char> = bytes.iter().filter_map(letter).collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// What is kept of an account's code.
pub fn digest_of(account: AccountId, code: &str) -> Digest {
    let plain = code.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase());
    digest(&format!("backup code of {account} {}", plain.collect::<String>()))
}

async fn judge(turn: Turn<'_>) -> Result<Verdict> {
    let Some(guess) = SecondGuess::count(turn, (METHOD.id, METHOD.amr)).await? else {
        return Ok(Verdict::Refused(StatusCode::OK, MessageKey::SignInAgain));
    };
    if !guess.may_be_judged() {
        return guess.refuse().await;
    }
    let account = guess.candidate.account.id;
    let lookup = lookup_of(digest_of(account, turn.params.one("code").unwrap_or_default()));
    let mut tx = turn.visit.host.read().await?;
    let found = credentials::find_by_lookup(&mut tx, Kind::BackupCode, &lookup).await?;
    drop(tx);
    match found.filter(|code| code.account == account && code.is_live(turn.visit.cx().now)) {
        Some(code) => {
            let effect = Effect::Uses(code.id, 1);
            Ok(guess.right(Proof { effect, ..Proof::of(guess.candidate.account.clone()) }))
        }
        None => guess.refuse().await,
    }
}

#[cfg(test)]
mod tests {
    use svc_core::{SeededEntropy, Timestamp};

    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        let entropy = SeededEntropy::new(1);
        let account = AccountId::new(Timestamp::from_secs(1), &entropy);
        let code = new_code(&entropy);
        assert_eq!((code.len(), code.matches('-').count()), (19, 3));
        let typed = code.to_ascii_uppercase().replace('-', " ");
        assert_eq!(digest_of(account, &typed), digest_of(account, &code));
        assert_ne!(
            digest_of(AccountId::new(Timestamp::from_secs(2), &entropy), &code),
            digest_of(account, &code)
        );
    }
}
