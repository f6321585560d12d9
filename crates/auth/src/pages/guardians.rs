//! The data of the pages about guardians: whom a person has chosen, whom they guard, and a recovery on its way.

use super::account::AccountFrame;
use super::declare::page;
use super::forms::Form;
use super::values::{Line, Link, Name, Verbatim};

page! {
    /// The guardians of a person: buttons named `action`; inputs `email`, `guardian`, `threshold` and `wait_hours`.
    pub struct AccountGuardians for "account_guardians" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The guardians, and those who are invited.
        pub guardians: Vec<AccountGuardian>,
        /// What the input `email` starts with.
        pub typed: Line,
        /// How many count now.
        pub active: u32,
        /// How many are needed.
        pub threshold: u32,
        /// Whether so many are there, so that they can recover the account.
        pub is_ready: bool,
        /// Hours of waiting.
        pub wait_hours: u32,
        /// Fewest hours that can be chosen.
        pub least_hours: u32,
        /// Most hours.
        pub most_hours: u32,
        /// The recovery that someone has asked for.
        pub asked: Option<RecoveryAsked>,
    }

    /// One guardian of [`AccountGuardians`].
    pub struct AccountGuardian {
        /// The value of the input `guardian`.
        pub value: Verbatim,
        /// The address that was invited.
        pub email: Line,
        /// Whether the invitation was accepted.
        pub is_accepted: bool,
        /// Whether the guardian counts now.
        pub is_active: bool,
        /// The day of the invitation, or of its acceptance.
        pub since: Line,
    }

    /// A recovery that someone has asked for: button `recovery-cancel`.
    pub struct RecoveryAsked {
        /// The browsers that ask, the latest first.
        pub browsers: Vec<AskingBrowser>,
        /// How many guardians are needed.
        pub threshold: u32,
    }

    /// A browser that asks.
    pub struct AskingBrowser {
        /// When it asked, RFC 3339.
        pub at: Line,
        /// The browser, in a word.
        pub browser: Line,
        /// The system, in a word.
        pub os: Line,
        /// The network.
        pub network: Line,
        /// How many guardians have confirmed it.
        pub confirmed: u32,
        /// When it may choose a new password, RFC 3339, if enough have.
        pub ready_at: Option<Line>,
    }

    /// Whom a person guards: buttons named `action`; inputs `guardian` and `code`.
    pub struct AccountGuarding for "account_guarding" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The people.
        pub people: Vec<GuardedPerson>,
    }

    /// One person of [`AccountGuarding`].
    pub struct GuardedPerson {
        /// The value of the input `guardian`.
        pub value: Verbatim,
        /// What the person is called.
        pub name: Name,
        /// Whether the invitation was accepted.
        pub is_accepted: bool,
        /// Whether the error is about the code of this person.
        pub is_refused: bool,
        /// When the person asked for recovery, RFC 3339, if they did and the guardian has a say in it.
        pub asked_at: Option<Line>,
        /// Whether the guardian has answered that.
        pub is_answered: bool,
    }

    /// The form that asks the guardians of an account: input `username`, button `recovery-ask`.
    pub struct RecoveryAsk for "recovery_ask" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// What the user name starts with.
        pub username: Line,
        /// Back to the other ways to a new password, where there are any.
        pub forgot_url: Option<Link>,
    }

    /// A recovery on its way, in the browser that asked; the form sets the new password when that is possible: input `password`,
    /// button `recovery-submit`, and `recovery-forget` to start again.
    pub struct RecoveryStatus for "recovery_status" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The code that the person tells their guardians.
        pub code: Line,
        /// The name that was typed.
        pub username: Line,
        /// How many guardians have confirmed.
        pub confirmed: u32,
        /// When a new password can be chosen, RFC 3339, if enough guardians have confirmed.
        pub ready_at: Option<Line>,
        /// Whether it can be chosen now.
        pub is_ready: bool,
        /// Whether too much time has passed.
        pub is_over: bool,
        /// Fewest characters of the password.
        pub min_length: u32,
    }

    /// The page behind the link that cancels a recovery: button `recovery-cancel`.
    pub struct RecoveryCancel for "recovery_cancel" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
    }
}
