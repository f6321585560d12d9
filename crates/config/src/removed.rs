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
    "SVC_KMS__MASTER_KEY",
    "SVC_MASTER_KEY",
    "SVC_PASSWORD_PEPPER",
    "SVC_SECRET_KEY",
    "SVC_SECURITY__ENCRYPTION_KEY",
    "SVC_SECURITY__MASTER_KEY",
    "SVC_SESSION_COOKIE__KEY",
    "SVC_SESSION_COOKIE__SECRET",
    "SVC_SESSION_SECRET",
    "SVC_SIGNING_KEY",
    "SVC_TWO_FACTOR__ENCRYPTION_KEY",
    "SVC_VAULT__ENCRYPTION_KEY",
    "SVC_VAULT__MASTER_KEY",
    "SVC_WALLET__ENCRYPTION_KEY",
    "SVC_WALLET__MASTER_KEY",
    "SVC_WEBHOOKS__ENCRYPTION_KEY",
    "SVC_WEBHOOKS__SIGNING_KEY",
];

/// The refusal of `variable`, when it is one of them, or one underscore short of it: a secret is never ignored in silence.
pub(super) fn fault(variable: &str) -> Option<Fault> {
    let folded = |name: &str| name.replace("__", "_").to_ascii_uppercase();
    let is_removed = REMOVED.iter().any(|removed| folded(removed) == folded(variable));
    let fix = "provision the secret with `svc-kms provision NAME` and delete the variable";
    is_removed.then(|| Fault::new(variable, format!("{variable} moved to sigid-kms"), fix))
}
