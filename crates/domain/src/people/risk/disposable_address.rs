//! An address that anyone can read, or that is thrown away after minutes.

use super::{Seen, Signal};

pub(super) const SIGNAL: Signal = Signal {
    name: "disposable_address",
    points: 10,
    about: "The address of the account is at a provider of throw-away addresses.",
    is_seen,
};

/// The best known; the list is short on purpose, and a domain below one of these counts as well.
const DOMAINS: &[&str] = &[
    "10minutemail.com",
    "dispostable.com",
    "fakeinbox.com",
    "getnada.com",
    "grr.la",
    "guerrillamail.com",
    "mailinator.com",
    "maildrop.cc",
    "mailnesia.com",
    "sharklasers.com",
    "temp-mail.org",
    "throwawaymail.com",
    "trashmail.com",
    "yopmail.com",
];

fn is_seen(seen: &Seen<'_>) -> bool {
    let domain = seen.email.and_then(|email| email.rsplit_once('@')).map(|(_, domain)| domain);
    let domain = domain.unwrap_or_default().to_ascii_lowercase();
    DOMAINS
        .iter()
        .any(|known| domain.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_counts_with_what_is_below_it_and_no_other() {
        let is_seen = |email| is_seen(&Seen { email: Some(email), ..Seen::nothing() });
        assert!(is_seen("ada@Mailinator.com") && is_seen("ada@x.mailinator.com"));
        assert!(
            !is_seen("ada@notmailinator.com") && !is_seen("mailinator.com") && !is_seen("ada@example.com")
        );
    }
}
