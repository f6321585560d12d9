//! The page of what acts for a person.

use super::account::AccountFrame;
use super::approvals::{App, RequestedAccess};
use super::declare::page;
use super::values::{Line, Verbatim};

page! {
    /// What acts for the person: buttons named `delegation`.
    pub struct AccountDelegations for "account_delegations" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The delegations.
        pub delegations: Vec<AccountDelegation>,
    }

    /// One delegation of [`AccountDelegations`].
    pub struct AccountDelegation {
        /// The value that the button sends.
        pub value: Verbatim,
        /// Who acts.
        pub app: App,
        /// What it may do.
        pub asked: RequestedAccess,
        /// What for, in the words of the application.
        pub purpose: Line,
        /// The day on which it began, `YYYY-MM-DD`.
        pub began: Line,
        /// The day on which it ends by itself.
        pub ends: Line,
    }
}
