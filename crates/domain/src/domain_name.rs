//! Names of domains that can be proven by a record below them (RFC 1035 §2.3.4, RFC 1123 §2.1, RFC 5891).

use std::borrow::Cow;

use svc_core::{Error, Result};
use url::Host;

/// A name that someone can have registered, in ASCII and without a final dot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainName(String);

impl DomainName {
    /// Reads a name, which may be written in any script. Addresses and what is above registered names are refused.
    pub fn parse(text: &str) -> Result<Self> {
        let bad = || {
            Error::bad_request(
                "domain: give a registered name such as acme.example, without scheme, port and path",
            )
        };
        let Ok(Host::Domain(name)) = Host::parse(text) else { return Err(bad()) };
        let labels_fit = name.split('.').all(is_label);
        if !labels_fit || name.len() > LONGEST || psl::domain_str(&name).is_none() {
            return Err(bad());
        }
        Ok(Self(name))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is `host` or below it.
    pub fn is_within(&self, host: &str) -> bool {
        self.0.strip_suffix(host).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }
}

/// The name of a host in ASCII, which may be written in any script; one in ASCII stands as it is.
pub(crate) fn in_ascii(name: &str) -> Option<Cow<'_, str>> {
    if name.is_ascii() {
        return Some(Cow::Borrowed(name));
    }
    // An address is no address of a web page, in which letters may be escaped.
    match Host::parse(name) {
        Ok(Host::Domain(ascii)) if !name.contains('%') => Some(Cow::Owned(ascii)),
        _ => None,
    }
}

/// Refuses what an address cannot have as the name of its host, letter for letter: labels of letters, digits and inner hyphens (RFC
/// 1123 §2.1), two at least, in lower case.
pub fn check_custom(domain: &str) -> Result<()> {
    let labels_fit = domain.contains('.') && domain.split('.').all(is_label);
    let is_as_written = || Host::parse(domain).is_ok_and(|host| host.to_string() == domain);
    if labels_fit && domain.len() <= 253 && is_as_written() {
        return Ok(());
    }
    Err(Error::bad_request("custom_domain: give a host name in lower case, such as login.example.com"))
}

/// The domain of an address in the form in which proven domains are kept.
pub fn of_address(address: &str) -> Option<String> {
    let (local, domain) = address.trim().rsplit_once('@')?;
    if local.is_empty() { None } else { as_kept(domain) }
}

/// A domain in the form in which proven domains are kept.
pub fn as_kept(domain: &str) -> Option<String> {
    match Host::parse(domain.trim_end_matches('.')) {
        Ok(Host::Domain(name)) => Some(name),
        _ => None,
    }
}

/// The longest name, so that the label of the record has room in front (RFC 1035 §2.3.4).
const LONGEST: usize = 189;

/// A label of a host name (RFC 1123 §2.1).
fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_in_any_script_and_kept_in_ascii() {
        for (text, name) in [
            ("acme.example", "acme.example"),
            ("Mail.ACME.Example", "mail.acme.example"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("acme.co.uk", "acme.co.uk"),
        ] {
            assert_eq!(DomainName::parse(text).unwrap().as_str(), name);
        }
    }

    #[test]
    fn addresses_public_suffixes_and_what_is_no_host_name_are_refused() {
        for text in [
            "",
            "example",
            "com",
            "co.uk",
            "github.io",
            "127.0.0.1",
            "0x7f.1",
            "[::1]",
            "::1",
            "https://acme.example",
            "acme.example:443",
            "acme.example/",
            "acme.example.",
            "a_b.example",
            "-a.example",
            ".example",
            "*.acme.example",
            "a b.example",
        ] {
            assert!(DomainName::parse(text).is_err(), "{text}");
        }
        assert!(DomainName::parse(&format!("{}.example", "a.".repeat(120))).is_err());
    }

    #[test]
    fn the_domain_of_an_address_is_read_in_one_form() {
        for (address, found) in [
            ("ada@acme.example", Some("acme.example")),
            (" Ada@ACME.Example. ", Some("acme.example")),
            ("a@b@acme.example", Some("acme.example")),
            ("ada@bücher.example", Some("xn--bcher-kva.example")),
            ("ada\u{ff20}acme.example", None),
            ("@acme.example", None),
            ("ada", None),
            ("ada@[127.0.0.1]", None),
            ("ada@", None),
        ] {
            assert_eq!(of_address(address).as_deref(), found, "{address}");
        }
    }

    #[test]
    fn a_name_is_within_a_host_by_whole_labels() {
        let name = DomainName::parse("mail.acme.example").unwrap();
        assert!(name.is_within("acme.example") && name.is_within("mail.acme.example"));
        assert!(!name.is_within("cme.example") && !name.is_within("a.mail.acme.example"));
    }

    #[test]
    fn a_domain_that_a_tenant_is_given_is_a_host_name_in_lower_case() {
        for name in ["login.example.com", "a-b.example", "xn--bcher-kva.example", "127.0.0.1"] {
            assert!(check_custom(name).is_ok(), "{name}");
        }
        for other in [
            "",
            "example",
            "Login.example.com",
            "a..b",
            "-a.example",
            "a.example:443",
            "a.example/x",
            "a.example.",
            "xn--a.example",
            "127.1",
        ] {
            assert!(check_custom(other).is_err(), "{other}");
        }
    }
}
