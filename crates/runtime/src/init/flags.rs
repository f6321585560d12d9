//! What is refused, in the words of the command: the flag that gave a value stands for the key that the value got.

use svc_config::{Fault, Faults};

use crate::failure::Failure;

/// Keys, or the sections that they are in, with the flag that they follow from and what to give. The first that fits counts.
const FLAGS: [(&str, &str, &str); 12] = [
    ("database", "--database-url", "give postgres://user:password@host/name, or leave it out"),
    ("email.smtp.from", "--email-from", "give a sender such as no-reply@example.com"),
    ("email.smtp.password", "--email-smtp-password", "give the password at the relay"),
    ("email.smtp", "--email-smtp", "give host, host:port or user@host:port"),
    ("oidc.issuer_url", "--host", "give the name under which people reach the service"),
    ("server.allowed_hosts", "--host", "give the name under which people reach the service"),
    ("server.base_domain", "--host", "give the name under which people reach the service"),
    ("server.host", "--listen", "give an address of this machine"),
    ("server.port", "--port", "give a port"),
    ("server.tls.key_pem_path", "--key", "give the key of the certificate, in PEM"),
    ("server.tls", "--certificate, --key", "give a chain and its key, in PEM"),
    ("tenant.default_tenant_slug", "--tenant", "use 1 to 63 lower-case letters, digits and inner hyphens"),
];

/// A key that the address of the database decides too, and what its fault means for the address.
const DEMANDS_TLS: (&str, &str) = (
    "database.require_ssl",
    "--database-url: it must demand TLS in production; write sslmode=verify-full in place of the sslmode that it has",
);

/// A configuration that was made of flags and is refused.
pub fn explained(faults: Faults) -> Failure {
    let lines: Vec<_> = faults.0.into_iter().map(|fault| line(&fault)).collect();
    Failure::new(lines.join("\n"))
}

/// A value that is refused under the name that it has elsewhere.
pub fn refused_as(flag: &str, name: &str, failure: impl Into<Failure>) -> Failure {
    let text = failure.into().to_string();
    let reason = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&text);
    Failure::new(format!("{flag}: {reason}"))
}

fn line(fault: &Fault) -> String {
    // The fault of a section may be one of a key in it: its reason begins with the key, and says what to give.
    let inner = fault.what.split_once(": ").filter(|(key, _)| is_within(key, &fault.key));
    let (key, what) = inner.unwrap_or((fault.key.as_str(), fault.what.as_str()));
    if key == DEMANDS_TLS.0 {
        return DEMANDS_TLS.1.to_owned();
    }
    let Some((_, flag, way_out)) = FLAGS.iter().find(|(of, ..)| is_within(key, of)) else {
        return fault.to_string();
    };
    let what = what.strip_prefix(key).map_or(what, str::trim_start);
    if inner.is_some() { format!("{flag}: {what}") } else { format!("{flag}: {what}; {way_out}") }
}

fn is_within(key: &str, section: &str) -> bool {
    key.strip_prefix(section).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use svc_config::Config;

    use super::*;

    #[test]
    fn a_fault_names_the_flag_in_place_of_the_key() {
        for (fault, told) in [
            (
                Fault::new("tenant.default_tenant_slug", "\"A b\" has the wrong form", "set it"),
                "--tenant: \"A b\" has the wrong form; use 1 to 63 lower-case letters, digits and inner hyphens",
            ),
            (
                Fault::new(
                    "database.require_ssl",
                    "database.require_ssl must be true in production",
                    "set it",
                ),
                DEMANDS_TLS.1,
            ),
            (
                Fault::new("email.smtp", "email.smtp.from: no address", "mend [email.smtp]"),
                "--email-from: no address",
            ),
            (
                Fault::new(
                    "oidc.issuer_url",
                    "oidc.issuer_url has a path, but pages are at the root",
                    "set it",
                ),
                "--host: has a path, but pages are at the root; give the name under which people reach the service",
            ),
            (Fault::new("hibp.list_path", "is no list", "name one"), "hibp.list_path: is no list; name one"),
        ] {
            assert_eq!(explained(Faults(vec![fault])).to_string(), told);
        }
        let refusal = refused_as("--operator", "username", Failure::new("username: use letters"));
        assert_eq!(refusal.to_string(), "--operator: use letters");
    }

    #[test]
    fn every_key_that_stands_for_a_flag_exists() {
        let config = Config::load(None, &[]).unwrap();
        let known: Vec<_> = config.effective().into_iter().map(|(key, ..)| key).collect();
        let sections = FLAGS.iter().map(|(section, flag, _)| (*section, *flag));
        for (section, flag) in sections.chain([DEMANDS_TLS]) {
            assert!(known.iter().any(|key| is_within(key, section)), "{flag}: {section}");
        }
    }
}
