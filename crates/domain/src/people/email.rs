//! Mail addresses, by which people are found and written to.

use svc_core::{Error, Result};

use crate::domain_name::in_ascii;

/// An e-mail address that can be written to: ASCII, one `@`, a host name behind it (RFC 5321 §4.1.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Parses what a person typed. The text is kept as typed, but for a host name in another script: browsers send its form in ASCII
    /// (RFC 5891) from a field for addresses, and what was typed from any other. Uniqueness ignores case.
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        let invalid = || Error::bad_request("email: give an address such as name@example.com");
        let (local, domain) = text.split_once('@').ok_or_else(invalid)?;
        let domain = in_ascii(domain).ok_or_else(invalid)?;
        let is_local = (1..=64).contains(&local.len())
            && local
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&byte))
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..");
        let is_label = |label: &str| {
            (1..=63).contains(&label.len())
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        let is_domain = domain.len() <= 253 && domain.contains('.') && domain.split('.').all(is_label);
        if is_local && is_domain { Ok(Self(format!("{local}@{domain}"))) } else { Err(invalid()) }
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The one form under which it is unique.
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_could_be_another_persons_are_refused() {
        for bad in [
            "",
            "a",
            "a@",
            "@b.c",
            "a@b",
            "a@b@c.d",
            "ａ@b.cd",
            "a＠b.cd",
            "a@b.cd.",
            ".a@b.cd",
            "a b@c.de",
            "a@-b.cd",
            "a@b＠ü.cd",
            "a@ü.cd.",
            "a@１２７.０.０.１",
            "a@ü%2ecd",
            "ä@ü.cd",
            "a@ü",
        ] {
            assert!(Email::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn case_does_not_make_another_address() {
        assert_eq!(Email::parse(" Ada@Example.COM ").unwrap().key(), "ada@example.com");
    }

    #[test]
    fn an_address_is_one_in_whatever_script_its_host_is_written() {
        for typed in [
            "Ada@bücher.example",
            "Ada@BÜCHER.Example",
            "Ada@bu\u{308}cher。example",
            "Ada@xn--bcher-kva.example",
        ] {
            assert_eq!(Email::parse(typed).unwrap().as_str(), "Ada@xn--bcher-kva.example", "{typed}");
        }
    }
}
