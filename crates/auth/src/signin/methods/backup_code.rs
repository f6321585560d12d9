//! Second factor by a code from paper (NIST SP 800-63B §3.1.2): each counts once.

use svc_core::{Digest, Result};
use svc_domain::people::credentials::{self, Credential, Kind, backup_codes};
use svc_http::StatusCode;

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

/// The code that is made of random bytes, in groups of four.
pub fn code_of(random: Digest) -> String {
    let letter = |byte: &u8| ALPHABET.get(usize::from(byte % 32)).copied().map(char::from);
    let letters: Vec<char> = random.0.iter().take(LENGTH).filter_map(letter).collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

async fn judge(turn: Turn<'_>) -> Result<Verdict> {
    let Some(guess) = SecondGuess::count(turn, (METHOD.id, METHOD.amr)).await? else {
        return Ok(Verdict::Refused(StatusCode::OK, MessageKey::SignInAgain));
    };
    if !guess.may_be_judged() {
        return refused(&guess).await;
    }
    let account = guess.candidate.account.id;
    let lookups = backup_codes::lookups_of(account, turn.params.one("code").unwrap_or_default());
    let all = credentials::of_account(&mut turn.visit.host.read().await?, account).await?;
    let is_meant = |code: &Credential| {
        let is_typed = code.lookup.as_ref().is_some_and(|lookup| lookups.contains(lookup));
        code.kind == Some(Kind::BackupCode) && is_typed && code.is_live(turn.visit.cx().now)
    };
    match all.into_iter().find(is_meant) {
        Some(code) => {
            let effect = Effect::Uses(code.id, 1);
            Ok(guess.right(Proof { effect, ..Proof::of(guess.candidate.account.clone()) }))
        }
        None => refused(&guess).await,
    }
}

/// A wrong guess: unlike an app, paper shows no next code to wait for.
async fn refused(guess: &SecondGuess<'_>) -> Result<Verdict> {
    Ok(match guess.refuse().await? {
        Verdict::Refused(status, MessageKey::CodeWrong) => {
            Verdict::Refused(status, MessageKey::BackupCodeWrong)
        }
        refused => refused,
    })
}

#[cfg(test)]
mod tests {
    use svc_core::{AccountId, SeededEntropy, Timestamp};
    use svc_domain::people::credentials::backup_codes::digest_of;

    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        let entropy = SeededEntropy::new(1);
        let account = AccountId::new(Timestamp::from_secs(1), &entropy);
        let code = code_of(svc_keys::digest("random"));
        assert_eq!((code.len(), code.matches('-').count()), (19, 3));
        let typed = code.to_ascii_uppercase().replace('-', " ");
        assert_eq!(digest_of(account, &typed), digest_of(account, &code));
        assert_ne!(
            digest_of(AccountId::new(Timestamp::from_secs(2), &entropy), &code),
            digest_of(account, &code)
        );
    }
}
