//! Codes on paper that stand in for a second factor (NIST SP 800-63B §3.1.2): what is kept of ours, and of those of another system.

use svc_core::text::one_time_code;
use svc_core::{AccountId, Digest};
use svc_keys::{digest, hex, sha256, sha512};

use super::lookup_of;

/// What is kept of an account's code.
pub fn digest_of(account: AccountId, code: &str) -> Digest {
    digest(&format!("backup code of {account} {}", plain(code).to_ascii_lowercase()))
}

/// By what a code is found of which another system kept this hash: SHA-256 or SHA-512.
pub(in crate::people) fn imported_lookup(account: AccountId, hash: &[u8]) -> Vec<u8> {
    lookup_of(digest(&format!("imported backup code of {account} {}", hex(hash))))
}

/// By what a code is found that was typed: it may be one of ours, or one of another system, which hashed it as it was shown, or
/// without what sets its letters apart.
pub fn lookups_of(account: AccountId, typed: &str) -> Vec<Vec<u8>> {
    let plain = plain(typed);
    let forms =
        [typed.trim().to_owned(), plain.to_ascii_uppercase(), plain.to_ascii_lowercase(), plain.clone()];
    let foreign = forms.iter().flat_map(|form| {
        let form = form.as_bytes();
        [imported_lookup(account, &sha256(form)), imported_lookup(account, &sha512(form))]
    });
    std::iter::once(lookup_of(digest_of(account, typed))).chain(foreign).collect()
}

fn plain(code: &str) -> String {
    one_time_code(code).chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use svc_core::{SeededEntropy, Timestamp};

    use super::*;

    #[test]
    fn a_code_of_another_system_is_found_however_it_is_typed_and_for_its_account_alone() {
        let of = |seed| AccountId::new(Timestamp::from_secs(1), &SeededEntropy::new(seed));
        let (account, other) = (of(1), of(2));
        for (hashed, typed) in [
            ("K3X9PLM2QRSA", "k3x9-plm2-qrsa"),
            ("k3x9plm2qrsa", " K3X9 PLM2 QRSA "),
            ("K3x9-Plm2", "K3x9-Plm2"),
            ("K3x9Plm2", "K3x9-Plm2"),
            ("K3X9PLM2", "ｋ３ｘ９－ｐｌｍ２"),
        ] {
            for hash in [sha256(hashed.as_bytes()).to_vec(), sha512(hashed.as_bytes()).to_vec()] {
                let kept = imported_lookup(account, &hash);
                assert!(lookups_of(account, typed).contains(&kept), "{hashed} {typed}");
                assert!(!lookups_of(other, typed).contains(&kept), "{hashed} {typed}");
                assert!(!lookups_of(account, "another").contains(&kept), "{hashed} {typed}");
            }
        }
    }
}
