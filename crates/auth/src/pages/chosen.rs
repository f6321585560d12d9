//! Words that handlers choose by a name: why a person signs in, sections of the account centre, ways and signals of sign-ins.

/// Why a person signs in whom no application has sent, as ids of messages.
pub const FOR_DEVICE: &str = "signin-for-device";
/// To answer requests from elsewhere.
pub const FOR_APPROVALS: &str = "signin-for-approvals";
/// To see what applications may do.
pub const FOR_ACCESS: &str = "signin-for-access";
/// To look after the account.
pub const FOR_ACCOUNT: &str = "signin-for-account";
/// To accept an invitation to an organization.
pub const FOR_INVITATION: &str = "signin-for-invitation";
/// To choose a new password.
pub const FOR_RECOVERY: &str = "signin-for-recovery";

/// All of these.
#[cfg(test)]
pub(super) const WHY: [&str; 6] =
    [FOR_DEVICE, FOR_APPROVALS, FOR_ACCESS, FOR_ACCOUNT, FOR_INVITATION, FOR_RECOVERY];

/// The titles of the sections of the account centre, as ids of messages.
pub const ACCOUNT_TITLES: &[&str] = &[
    "account-overview",
    "account-keep",
    "account-profile",
    "account-details",
    "account-email",
    "account-phone",
    "account-password",
    "account-passkeys",
    "account-identities",
    "account-second-factors",
    "account-backup-codes",
    "account-guardians",
    "account-guarding",
    "account-accounts",
    "account-sessions",
    "account-login-history",
    "account-support",
    "account-delegations",
    "account-organizations",
    "account-sso",
    "account-terms",
    "account-data",
    "account-deletion",
];

/// How a person signed in, by `amr` value (RFC 8176), and the ids of its words.
pub const LOGIN_WAYS: &[(&str, &str)] = &[
    ("pwd", "login-by-password"),
    ("otp", "login-by-code"),
    ("sms", "login-by-code"),
    ("hwk", "login-by-key"),
    ("swk", "login-by-key"),
    ("pop", "login-by-wallet"),
    ("fed", "login-by-organization"),
    ("social", "login-by-provider"),
    ("connector", "login-by-provider"),
    ("trusted_browser", "login-by-trusted-browser"),
];

/// What is unusual about a sign-in, by signal, and the ids of its sentences.
pub const LOGIN_REASONS: &[(&str, &str)] = &[
    ("new_device", "login-new-device"),
    ("new_network", "login-new-network"),
    ("unusual_hour", "login-unusual-hour"),
    ("impossible_travel", "login-impossible-travel"),
    ("many_failures", "login-many-failures"),
    ("disposable_address", "login-disposable-address"),
];
