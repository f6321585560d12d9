//! Secrets that configuration once carried and that key management provisions now.

use super::load::fault::Fault;

/// Variables that are refused; the same keys in the file are refused too.
pub const REMOVED: &[&str] = &[
    "SVC_API_KEYS__HASH_KEY",
    "SVC_AUTH__PASSWORD_PEPPER",
    "SVC_ENCRYPTION_KEY",
    "SVC_JWT_SIGNING_KEY",
    "SVC_JWT__PRIVATE_KEY",
    "SVC_JWT__PRIVATE_KEY_PEM",
    "SVC_JWT__SECRET",
    "SVC_JWT__SIGNING_KEY",
    "SVC_MASTER_KEY",
    "SVC_SECURITY__ENCRYPTION_KEY",
    "SVC_SECURITY__MASTER_KEY",
    "SVC_SESSION_COOKIE__KEY",
    "SVC_SESSION_COOKIE__SECRET",
    "SVC_TWO_FACTOR__ENCRYPTION_KEY",
    "SVC_VAULT__ENCRYPTION_KEY",
    "SVC_VAULT__MASTER_KEY",
    "SVC_WALLET__ENCRYPTION_KEY",
    "SVC_WALLET__MASTER_KEY",
    "SVC_WEBHOOKS__ENCRYPTION_KEY",
    "SVC_WEBHOOKS__SIGNING_KEY",
];

/// The refusal of `variable`, when it is one of them.
pub(super) fn fault(variable: &str) -> Option<Fault> {
    let name = REMOVED.iter().find(|removed| removed.eq_ignore_ascii_case(variable))?;
    let fix = "provision the secret with `svc-kms provision NAME` and delete the variable";
    Some(Fault::new(*name, format!("{name} moved to sigid-kms"), fix))
}
