//! The rows of the report: what is measured, and which servers can answer it.

use super::target::Target;

/// One row of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// The discovery document.
    Discovery,
    /// The key set.
    Jwks,
    /// A token for an application itself.
    ClientCredentials,
    /// Is this token active?
    Introspection,
    /// The same for a token that is bound to a key.
    IntrospectionBound,
    /// Claims of the person.
    UserInfo,
    /// The same with a token that is bound to a key, and a proof.
    UserInfoBound,
    /// A refresh token for the next one, each connection along a chain of its own.
    Refresh,
    /// A person's access token for one with which an application acts for them.
    TokenExchange,
    /// Has the person decided? Not yet.
    DevicePolling,
    /// May this person do this? By the policies of the tenant.
    Decision,
    /// A person whom a directory provisions.
    ScimCreate,
    /// Another name for such a person.
    ScimPatch,
    /// What a new browser is shown for a new authorization request.
    SignInPage,
    /// The first page of the account centre.
    AccountPage,
    /// Authorize with a session, then the code for tokens.
    CodeWithSession,
    /// The same as the FAPI 2.0 Security Profile has it: pushed, signed assertions, bound tokens.
    Fapi2,
    /// With the sign-in page and a password, each time as a new browser.
    CodeWithPassword,
    /// The request for an application's token, answered by the floor with nothing.
    Floor,
}

/// Signatures that a server makes and verifies for one operation.
pub struct Signatures {
    /// Made.
    pub made: u32,
    /// Verified.
    pub verified: u32,
}

impl Workload {
    /// All, in the order of the report.
    pub const ALL: [Self; 18] = [
        Self::Discovery,
        Self::Jwks,
        Self::ClientCredentials,
        Self::Introspection,
        Self::IntrospectionBound,
        Self::UserInfo,
        Self::UserInfoBound,
        Self::Refresh,
        Self::TokenExchange,
        Self::DevicePolling,
        Self::Decision,
        Self::ScimCreate,
        Self::ScimPatch,
        Self::SignInPage,
        Self::AccountPage,
        Self::CodeWithSession,
        Self::Fapi2,
        Self::CodeWithPassword,
    ];

    /// What a `fapi2` flow cannot do without: at each of the two endpoints that the application calls itself, its
    /// assertion and its proof; and of the tokens the access token and the ID token.
    pub const FAPI2_SIGNATURES: Signatures = Signatures { made: 2, verified: 4 };

    /// Its name in the report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Jwks => "JWKS",
            Self::ClientCredentials => "client_credentials",
            Self::Introspection => "introspection",
            Self::IntrospectionBound => "introspection, DPoP",
            Self::UserInfo => "UserInfo",
            Self::UserInfoBound => "UserInfo, DPoP",
            Self::Refresh => "refresh rotation",
            Self::TokenExchange => "token exchange",
            Self::DevicePolling => "device polling",
            Self::Decision => "policy decision",
            Self::ScimCreate => "SCIM create",
            Self::ScimPatch => "SCIM PATCH",
            Self::SignInPage => "sign-in page",
            Self::AccountPage => "account page",
            Self::CodeWithSession => "code flow, session",
            Self::Fapi2 => "fapi2 flow, session",
            Self::CodeWithPassword => "code flow, password",
            Self::Floor => "signature and empty reply",
        }
    }

    /// Whether a person has to have signed in before.
    pub fn needs_session(self) -> bool {
        matches!(
            self,
            Self::Introspection
                | Self::IntrospectionBound
                | Self::UserInfo
                | Self::UserInfoBound
                | Self::Refresh
                | Self::TokenExchange
                | Self::AccountPage
                | Self::CodeWithSession
                | Self::Fapi2
        )
    }

    /// Whether a server has the application that this is measured with.
    pub fn is_answered_by(self, target: &Target) -> bool {
        match self {
            Self::Fapi2 => target.fapi2.is_some() && target.paths.par.is_some(),
            Self::TokenExchange => target.actor.is_some(),
            // The peer has no account centre either.
            Self::Decision | Self::ScimCreate | Self::ScimPatch | Self::AccountPage => target.admin.is_some(),
            Self::DevicePolling => target.device.is_some() && target.paths.device.is_some(),
            _ => true,
        }
    }
}
