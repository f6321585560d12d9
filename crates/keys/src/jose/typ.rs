//! Explicit token types (RFC 8725 §3.11): what a token is for, so that one kind never passes as another.

use super::Algorithm;

/// The `typ` of a token that we issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Typ {
    /// `at+jwt`: an access token (RFC 9068); never signed with RS256.
    AccessToken,
    /// `JWT`: an ID token, a signed `UserInfo` response, or a signed authorization response.
    Jwt,
    /// `token-introspection+jwt`: a signed answer about a token (RFC 9701).
    Introspection,
    /// `logout+jwt`: a back-channel logout token.
    LogoutToken,
    /// `oauth-id-jag+jwt`: an identity assertion for another authorization server (ID-JAG).
    IdJag,
    /// `secevent+jwt`: a security event token (RFC 8417).
    SecurityEvent,
    /// `audit-checkpoint+jwt`: what the audit log of a tenant was at a time.
    AuditCheckpoint,
}

impl Typ {
    /// Every type.
    pub const ALL: &'static [Self] = &[
        Self::AccessToken,
        Self::Jwt,
        Self::Introspection,
        Self::LogoutToken,
        Self::IdJag,
        Self::SecurityEvent,
        Self::AuditCheckpoint,
    ];

    /// The header's value.
    pub fn name(self) -> &'static str {
        match self {
            Self::AccessToken => "at+jwt",
            Self::Jwt => "JWT",
            Self::Introspection => "token-introspection+jwt",
            Self::LogoutToken => "logout+jwt",
            Self::IdJag => "oauth-id-jag+jwt",
            Self::SecurityEvent => "secevent+jwt",
            Self::AuditCheckpoint => "audit-checkpoint+jwt",
        }
    }

    /// The algorithms that may sign this type.
    pub fn algorithms(self) -> &'static [Algorithm] {
        match self {
            Self::AccessToken | Self::IdJag | Self::AuditCheckpoint => &[Algorithm::Es256, Algorithm::EdDsa],
            Self::Jwt | Self::Introspection | Self::LogoutToken | Self::SecurityEvent => Algorithm::SIGNING,
        }
    }
}
