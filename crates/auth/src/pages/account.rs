//! The data of the pages of the account centre.

use svc_core::Timestamp;
use svc_domain::people::credentials::Credential;

use super::declare::page;
use super::forms::{Account, Form};
use super::messages::MessageKey;
use super::values::{Line, Link, Name, Verbatim};

page! {
    /// What every page of the account centre has: the menu, the account, and a form of the section.
    pub struct AccountFrame {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The title of the section, as the id of a message.
        pub title: &'static str,
        /// What was done.
        pub notice: Option<MessageKey>,
        /// Whose account it is.
        pub account: Line,
        /// To sign in as another person.
        pub switch_url: Option<Link>,
        /// The menu.
        pub sections: Vec<Tab>,
    }

    /// A line of the menu.
    pub struct Tab {
        /// The section.
        pub id: &'static str,
        /// Its title, as the id of a message.
        pub title: &'static str,
        /// Where it is.
        pub url: Link,
        /// Whether it is shown.
        pub is_current: bool,
    }

    /// Whose account it is, and how well it is protected.
    pub struct AccountOverview for "account_overview" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The name.
        pub name: Option<Name>,
        /// The address.
        pub email: Option<Line>,
        /// Whether it is proven.
        pub email_verified: bool,
        /// Whether there is a password; none where people go without.
        pub has_password: Option<bool>,
        /// Apps for one-time codes.
        pub apps: u32,
        /// Backup codes that are left.
        pub backup_codes: u32,
        /// The day on which the account is deleted, `YYYY-MM-DD`, if it is to be and the owner can keep it.
        pub due_on: Option<Line>,
        /// Where the owner cancels a recovery that someone has asked for.
        pub recovery_url: Option<Link>,
        /// Where people wait for this guardian.
        pub guarding_url: Option<Link>,
        /// Where the owner sees that fewer guardians count than are needed.
        pub guardians_url: Option<Link>,
    }

    /// The profile: inputs of the names of the claims, button `profile-submit`.
    pub struct AccountProfile for "account_profile" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The full name.
        pub name: Line,
        /// The first name.
        pub given_name: Line,
        /// The last name.
        pub family_name: Line,
        /// The nickname.
        pub nickname: Line,
    }

    /// How a guest keeps the account: input `email`, button `keep-submit`; a link for each provider at which it can be kept.
    pub struct AccountKeep for "account_keep" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// What was typed.
        pub email: Line,
        /// The providers.
        pub providers: Vec<IdentityProvider>,
    }

    /// The e-mail address: input `email`, button `email-submit`.
    pub struct AccountEmail for "account_email" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The address.
        pub email: Option<Line>,
        /// Whether it is proven.
        pub email_verified: bool,
        /// What the input starts with.
        pub typed: Line,
    }

    /// The phone number: input `phone`, then `code`; buttons `phone-send`, `phone-confirm` and `phone-remove`, named `action`.
    pub struct AccountPhone for "account_phone" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The number that is proven.
        pub number: Option<Line>,
        /// The number that a code is on its way to.
        pub sent_to: Option<Line>,
        /// What the input `phone` starts with.
        pub typed: Line,
    }

    /// A new password: input `password`, button `password-submit`.
    pub struct AccountPassword for "account_password" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// Whose password it is, for password managers.
        pub username: Line,
        /// Whether there is none yet.
        pub is_first: bool,
        /// Fewest characters.
        pub min_length: u32,
    }

    /// Passkeys and security keys: buttons `passkey-add` and `security-key-add`, and named `action`; inputs `credential` and
    /// `name`.
    pub struct AccountPasskeys for "account_passkeys" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The keys.
        pub keys: Vec<AccountPasskey>,
    }

    /// One key of [`AccountPasskeys`].
    pub struct AccountPasskey {
        /// The credential.
        #[serde(flatten)]
        pub kept: Kept,
        /// Whether it is for the time after a password only.
        pub is_security_key: bool,
        /// Whether it is copied to other devices of its holder.
        pub is_backed_up: bool,
        /// The host where it works, where that is not this one.
        pub works_at: Option<Line>,
    }

    /// Accounts at other providers: buttons named `action`, input `credential`; a link for each that can be added.
    pub struct AccountIdentities for "account_identities" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// Those that open the account.
        pub identities: Vec<AccountIdentity>,
        /// The providers at which the person can add one.
        pub add: Vec<IdentityProvider>,
    }

    /// One account of [`AccountIdentities`].
    pub struct AccountIdentity {
        /// The credential.
        #[serde(flatten)]
        pub kept: Kept,
        /// What the provider is called.
        pub provider: Name,
    }

    /// A provider at which the person can add an account.
    pub struct IdentityProvider {
        /// Its name in addresses.
        pub id: Verbatim,
        /// What it is called.
        pub name: Name,
        /// The way there.
        pub url: Link,
    }

    /// Apps for one-time codes, and trusted browsers: buttons named `action`, inputs `credential`, `name` and `code`.
    pub struct AccountSecondFactors for "account_second_factors" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The apps.
        pub apps: Vec<Kept>,
        /// The browsers.
        pub browsers: Vec<Kept>,
        /// The key of an app that is being added.
        pub key: Option<AppKey>,
    }

    /// A credential as its owner sees it.
    pub struct Kept {
        /// The value of the input `credential`.
        pub value: Verbatim,
        /// What the person calls it.
        pub name: Name,
        /// The day on which it was added, `YYYY-MM-DD`.
        pub added: Line,
        /// The day on which it was used last.
        pub used: Option<Line>,
        /// The day on which it ends.
        pub ends: Option<Line>,
    }

    /// The key of an app that is being added.
    pub struct AppKey {
        /// In base32, to be typed.
        pub secret: Line,
        /// The address in the QR code.
        pub url: Verbatim,
    }

    /// Backup codes: button `backup-codes-make`; the codes stand in the page once.
    pub struct AccountBackupCodes for "account_backup_codes" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// How many are left.
        pub left: u32,
        /// Whether there is a second factor that they could stand in for.
        pub has_factor: bool,
        /// Those that were just made.
        pub codes: Vec<Line>,
    }

    /// The accounts that are signed in in this browser: buttons named `use` and `end`, and the buttons `account-add` and
    /// `accounts-end-all`.
    pub struct AccountAccounts for "account_accounts" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The accounts, that which acts first.
        pub accounts: Vec<Account>,
        /// Whether another one finds room.
        pub has_room: bool,
    }

    /// Where the person is signed in: buttons named `session`, the value `others` for all but this one.
    pub struct AccountSessions for "account_sessions" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The sessions, newest first.
        pub sessions: Vec<AccountSession>,
    }

    /// One session of [`AccountSessions`].
    pub struct AccountSession {
        /// The value that the button sends.
        pub value: Verbatim,
        /// The browser in a word, where it says which it is.
        pub browser: Line,
        /// The operating system in a word, where the browser says which it is.
        pub os: Line,
        /// The address that signed in.
        pub client_ip: Line,
        /// When the person signed in, RFC 3339.
        pub signed_in: Line,
        /// When the browser was last seen, RFC 3339.
        pub last_seen: Line,
        /// Whether it is the one that looks at the page.
        pub is_here: bool,
    }

    /// When and where the person signed in, or did not.
    pub struct AccountLoginHistory for "account_login_history" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The attempts, newest first.
        pub logins: Vec<AccountLogin>,
        /// Whether a password can be replaced here.
        pub has_passwords: bool,
    }

    /// One attempt of [`AccountLoginHistory`].
    pub struct AccountLogin {
        /// When it was, RFC 3339.
        pub at: Line,
        /// The outcome: `success`, `failure`, `refused` or `impersonated`.
        pub outcome: Verbatim,
        /// The browser, in a word.
        pub browser: Line,
        /// The system, in a word.
        pub os: Line,
        /// The network that it came from.
        pub network: Line,
        /// How, as ids of messages.
        pub ways: Vec<&'static str>,
        /// What is unusual about it, as ids of messages.
        pub reasons: Vec<&'static str>,
    }

    /// The organizations of the person: buttons named `organization`, and `accept` and `decline` of the invitations.
    pub struct AccountOrganizations for "account_organizations" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The organizations.
        pub organizations: Vec<AccountOrganization>,
        /// The invitations that wait.
        pub invitations: Vec<AccountInvitation>,
    }

    /// An invitation of [`AccountOrganizations`].
    pub struct AccountInvitation {
        /// The value that the buttons send.
        pub value: Verbatim,
        /// The name of the organization.
        pub name: Name,
        /// The roles that the person gets there.
        pub roles: Line,
        /// The day on which it ends, `YYYY-MM-DD`.
        pub ends: Line,
    }

    /// One organization of [`AccountOrganizations`].
    pub struct AccountOrganization {
        /// The value that the button sends.
        pub value: Verbatim,
        /// Its name.
        pub name: Name,
        /// The roles there.
        pub roles: Line,
        /// Where its providers are tested, where it has some and the person may.
        pub sso_url: Option<Link>,
    }

    /// The end of the account: buttons named `action`, with the values `delete`, which needs `sure=yes`, and `keep`.
    pub struct AccountDeletion for "account_deletion" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
        /// The day on which it comes, `YYYY-MM-DD`, if it is to come.
        pub due_on: Option<Line>,
        /// For how many days the account can be kept.
        pub days: u32,
    }

    /// A copy of everything: button `data-submit`.
    pub struct AccountData for "account_data" {
        /// The frame.
        #[serde(flatten)]
        pub frame: AccountFrame,
    }
}

impl Kept {
    /// A credential as its owner sees it.
    pub fn of(credential: &Credential) -> Self {
        Self {
            value: credential.id.to_string().into(),
            name: credential.name.as_str().into(),
            added: day(credential.created_at),
            used: credential.last_used_at.map(day),
            ends: credential.expires_at.map(day),
        }
    }
}

/// The day of a time, `YYYY-MM-DD`.
pub fn day(time: Timestamp) -> Line {
    time.to_string().chars().take(10).collect::<String>().into()
}
