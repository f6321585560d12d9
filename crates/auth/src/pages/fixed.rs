//! Messages that only the operator of the deployment may reword: people decide by them about their security.

/// Beginnings of the keys, each with what the messages say.
pub const FIXED: &[(&str, &str)] = &[
    ("consent-", "what an application gets, and warnings about it"),
    ("scope-", "what an application gets"),
    ("claim-", "what an application gets"),
    ("access-", "what applications have got"),
    ("approvals-", "what is approved for another device"),
    ("device-", "what is approved for another device"),
    ("leaving-", "that a link leads to a foreign application"),
    ("undo-address-", "that an account has changed"),
    ("was-this-you-", "that an unusual sign-in happened"),
    ("login-", "how an account was used"),
    ("acting-", "that support staff act for the person"),
    ("impersonate-", "that support staff act for the person"),
    ("support-", "that support staff act for the person"),
    ("guardian-", "who can recover an account"),
    ("guardians-", "who can recover an account"),
    ("guarding-", "whose account the person can recover"),
    ("recovery-", "that an account is recovered"),
    ("preview-", "that what is shown is not saved"),
    ("siwe-", "what is signed with a wallet"),
    ("deletion-", "that an account is deleted"),
    ("identities-", "who else can open the account"),
    ("trust-browser", "what trusting a browser means"),
    ("captcha-", "that a challenge is worked on"),
    ("done-", "what has become of an account"),
    ("error-", "why something was refused"),
    ("notice-", "what has become of an account"),
    ("problem-", "why something was refused"),
    ("mismatch-", "why something was refused"),
    ("signout-unregistered", "that an address is not the application's"),
    ("text-", "what comes to a phone"),
    ("mail-address-", "that an account has changed"),
    ("mail-changed-", "that an account has changed"),
    ("mail-credential-", "that an account has changed"),
    ("mail-deletion-", "that an account has changed"),
    ("mail-expires", "how long a link works"),
    ("mail-guardian-", "who can recover an account"),
    ("mail-handed-over-", "that an account has changed"),
    ("mail-impersonation-", "that support staff act for the person"),
    ("mail-link", "where a button leads"),
    ("mail-locked-", "that guesses have locked an account"),
    ("mail-new-address-", "that an account is to change"),
    ("mail-new-device-", "that an unusual sign-in happened"),
    ("mail-recovered-", "that an account is recovered"),
    ("mail-recovery-", "that an account is recovered"),
    ("mail-sign-in-refused-", "that an unusual sign-in happened"),
    ("duration-", "how long something lasts"),
    ("language", "the languages on offer"),
];

/// Endings of further keys.
pub const FIXED_ENDS: &[(&str, &str)] =
    &[("-ignore", "what to do with a mail that the person did not ask for"), ("-warning", "a warning")];

/// Whether a message stays as the catalogues have it.
pub fn is_fixed(id: &str) -> bool {
    FIXED.iter().any(|(start, _)| id.starts_with(start))
        || FIXED_ENDS.iter().any(|(end, _)| id.ends_with(end))
}
