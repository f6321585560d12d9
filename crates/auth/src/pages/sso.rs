//! The page on which the providers of organizations are tested.

use super::account::AccountFrame;
use super::declare::page;
use super::sso_step::SsoStep;
use super::values::{Line, Name, Verbatim};

page! {
    /// The providers of the person's organizations: buttons named `connection`.
    pub struct AccountSso for "account_sso" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The connections.
        pub connections: Vec<SsoConnection>,
    }

    /// One connection of [`AccountSso`].
    pub struct SsoConnection {
        /// The value that the button sends.
        pub value: Verbatim,
        /// What people read on the sign-in page.
        pub name: Name,
        /// The organization.
        pub organization: Name,
        /// The provider.
        pub issuer: Line,
        /// Whether people sign in through it.
        pub is_enabled: bool,
        /// What a test has found just now.
        pub trial: Option<SsoTrial>,
    }

    /// What a test has found.
    pub struct SsoTrial {
        /// Whether people can be sent to the provider.
        pub is_usable: bool,
        /// Whether steps were left out after one that failed.
        pub is_cut: bool,
        /// What the provider must have registered as redirect URI.
        pub redirect_uri: Line,
        /// Where the provider may say that a session is over there.
        pub backchannel_logout_uri: Line,
        /// The steps.
        pub steps: Vec<SsoStep>,
    }
}
