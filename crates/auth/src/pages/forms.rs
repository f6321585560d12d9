//! The data of the pages of signing in and of an account.

use svc_core::OrganizationId;
use svc_domain::organizations::Place;

use super::declare::page;
use super::intake::Intake;
use super::messages::MessageKey;
use super::mismatch::Mismatch;
use super::values::{ForeignLink, Line, Link, Name, Verbatim};

page! {
    /// A form of ours; `flow` is always the sealed state that also proves that the form was ours.
    pub struct Form {
        /// Where the form is sent.
        pub action: Link,
        /// The sealed state, the hidden input `flow`.
        pub flow: Verbatim,
        /// What was wrong with the last attempt.
        pub error: Option<MessageKey>,
        /// The challenge that goes with it, where one is asked for.
        pub captcha: Option<Captcha>,
    }

    /// A challenge against automated requests: one of ours, or a provider's widget.
    pub struct Captcha {
        /// The word of `captcha.provider`.
        pub provider: &'static str,
        /// Our challenge; the answer comes back in the input `captcha_answer`.
        pub challenge: Option<Verbatim>,
        /// The script of the provider's widget.
        pub script: Option<&'static str>,
        /// The class of the element that the script fills.
        pub class: Option<&'static str>,
        /// The key of the site at the provider.
        pub site_key: Option<Verbatim>,
    }

    /// The sign-in form: inputs `username` and `password`, button `login-submit`, and what other methods add.
    pub struct SignIn for "sign_in" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// What the user name starts with.
        pub username: Line,
        /// What the phone number starts with.
        pub phone: Line,
        /// The method that was tried, by its id: the error is about its part.
        pub tried: Option<&'static str>,
        /// What led here.
        pub notice: Option<MessageKey>,
        /// The application that the person is on the way to.
        pub app_name: Option<Name>,
        /// Where it leads otherwise, as the id of a message.
        pub purpose: Option<&'static str>,
        /// Self-registration, where it is open.
        pub register_url: Option<Link>,
        /// Forgotten password.
        pub forgot_url: Option<Link>,
        /// The ways to sign in, each with the template of its part.
        pub methods: Vec<MethodPart>,
        /// Whether something was proven already, and a further proof is asked for.
        pub is_second: bool,
        /// Whether the person is signed in and adds a way to sign in.
        pub is_linking: bool,
        /// Whether the person is on the way to a new password.
        pub is_recovery: bool,
        /// Whether some ways to sign in are left out, because they are not accepted where the sign-in leads.
        pub is_narrowed: bool,
        /// To sign in as another person: than the one who was asked for a further proof, or whose organization accepts no more.
        pub switch_url: Option<Link>,
        /// For how many days the person can have the browser trusted: input `trust`.
        pub trust_days: Option<u32>,
    }

    /// The part of the sign-in page that one method fills. A link that begins it is `/auth/begin` with the page's `flow` and the
    /// method's id: an address of its own would bring the sealed state once more, and the page would not fit into its address.
    pub struct MethodPart {
        /// The value of the hidden input `method`.
        pub id: &'static str,
        /// The template of the part.
        pub partial: &'static str,
        /// What the second step shows, such as a challenge.
        pub shown: Option<serde_json::Value>,
    }

    /// The registration form: input `email`, button `register-submit`.
    pub struct Register for "register" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// What led here.
        pub notice: Option<MessageKey>,
        /// Whether a mailed code is offered instead of a link: button `register-code`.
        pub by_code: bool,
        /// Whether the person chooses a password behind the link.
        pub chooses_password: bool,
        /// What the address starts with.
        pub email: Line,
        /// The application that the person is on the way to.
        pub app_name: Option<Name>,
        /// Back to sign-in.
        pub signin_url: Option<Link>,
        /// The privacy policy.
        pub policy_url: Option<ForeignLink>,
        /// The terms of service.
        pub tos_url: Option<ForeignLink>,
    }

    /// The page after registration, the same for a new and for a known address; and of a sign-in that waits for its address.
    pub struct RegisterSent for "register_sent" {
        /// The form that sends it again: button `resend-submit`.
        #[serde(flatten)]
        pub form: Form,
        /// The address as the person typed it.
        pub email: Line,
        /// Whether the person has signed in to an account, whose address is to be proven.
        pub has_account: bool,
        /// Back to the form, where the person may change the address.
        pub again_url: Option<Link>,
        /// Back to sign-in.
        pub signin_url: Option<Link>,
    }

    /// The page that asks for the code by which a person registers; the same for a new and for a known address: input `code`, button
    /// `register-code-submit`.
    pub struct RegisterCode for "register_code" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The address as the person typed it.
        pub email: Line,
        /// Back to the form, where the person may change the address.
        pub again_url: Option<Link>,
        /// Back to sign-in.
        pub signin_url: Option<Link>,
    }

    /// The page of a person who has just proven an address by a code and gets an account: input `name`, button `register-name-submit`.
    pub struct RegisterName for "register_name" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The address.
        pub email: Line,
        /// What the name starts with.
        pub name: Line,
        /// What else the person is asked for.
        pub intake: Intake,
    }

    /// The page behind the link of a mail to a new address of an account: button `new-address-submit`.
    pub struct NewAddress for "new_address" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// Whose account it is.
        pub account: Line,
        /// To sign in as another person.
        pub switch_url: Option<Link>,
        /// The address that it is to have.
        pub email: Line,
    }

    /// The page behind the link of a mail to the address that an account had: button `undo-address-submit`.
    pub struct UndoAddress for "undo_address" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The address that it had.
        pub email: Line,
        /// When it got another one, RFC 3339.
        pub at: Line,
    }

    /// The page behind the link of a mail about a sign-in: button `was-this-you-no`.
    pub struct WasThisYou for "was_this_you" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// When it was, RFC 3339.
        pub at: Line,
        /// The browser, in a word.
        pub browser: Line,
        /// The system, in a word.
        pub os: Line,
        /// The network.
        pub network: Line,
        /// Whether it was refused.
        pub is_refused: bool,
    }

    /// The page behind a link that signs in: button `sign-in-link-submit`.
    pub struct SignInLink for "sign_in_link" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The address that it was mailed to.
        pub email: Line,
    }

    /// The page behind the link of a registration mail: inputs `name` and `password` where they are chosen now, button
    /// `verify-submit`.
    pub struct VerifyEmail for "verify_email" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The address to confirm.
        pub email: Line,
        /// Whether the person says their name: there is no account yet.
        pub asks_name: bool,
        /// Whether the person chooses a password.
        pub asks_password: bool,
        /// What the name starts with.
        pub name: Line,
        /// Fewest characters of a password.
        pub min_length: u32,
        /// What else the person is asked for.
        pub intake: Intake,
        /// Where a passkey instead of a password begins, where that is offered: button `verify-passkey`.
        pub passkey_url: Option<Link>,
        /// Whether there is nothing but a passkey.
        pub is_passkey_alone: bool,
    }

    /// The page behind the link of an invitation to an organization: button `invitation-submit`, or `invitation-switch` for another
    /// person, and the inputs `name` and `password` where they are chosen now.
    pub struct OrganizationInvitation for "organization_invitation" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The organization.
        pub organization: Name,
        /// The invited address.
        pub email: Line,
        /// Who is signed in, where that matters.
        pub account: Option<Line>,
        /// To sign in as another person.
        pub switch_url: Option<Link>,
        /// Whether that is another person than the invited one, who cannot accept.
        pub is_other: bool,
        /// Whether the person says their name: there is no account yet.
        pub asks_name: bool,
        /// Whether the person chooses a password.
        pub asks_password: bool,
        /// What the name starts with.
        pub name: Line,
        /// Fewest characters of a password.
        pub min_length: u32,
        /// What else the person is asked for.
        pub intake: Intake,
        /// Where a passkey instead of a password begins, where that is offered: button `verify-passkey`.
        pub passkey_url: Option<Link>,
        /// Whether there is nothing but a passkey.
        pub is_passkey_alone: bool,
    }

    /// The question to a person whose account is no member of the tenant yet: button `join-submit`.
    pub struct Join for "join" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The account.
        pub account: Line,
        /// The application that the person is on the way to.
        pub app_name: Option<Name>,
    }

    /// The ways to a new password besides a mailed link, each with the template of its part, as on the sign-in page.
    pub struct OtherWays {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The ways.
        pub methods: Vec<MethodPart>,
        /// Nothing is proven yet.
        pub is_second: bool,
        /// That is what they are for.
        pub is_recovery: bool,
    }

    /// The form for a forgotten password: input `username`, button `forgot-submit`.
    pub struct Forgot for "forgot" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// What the user name starts with.
        pub username: Line,
        /// Back to sign-in.
        pub signin_url: Option<Link>,
        /// The other ways, where there are any.
        pub others: Option<OtherWays>,
        /// Where guardians are asked instead.
        pub guardians_url: Option<Link>,
    }

    /// The page after [`Forgot`]; it does not know whether the account exists.
    pub struct ForgotSent for "forgot_sent" {
        /// The form that sends it again: button `resend-submit`.
        #[serde(flatten)]
        pub form: Form,
        /// The user name as the person typed it.
        pub username: Line,
        /// Back to the form, where the person may try another name.
        pub again_url: Option<Link>,
        /// Back to sign-in.
        pub signin_url: Option<Link>,
    }

    /// The form for a new password: input `password`, button `reset-submit`.
    pub struct ResetPassword for "reset_password" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// Whose password it is, also for password managers.
        pub username: Line,
        /// Fewest characters of a password.
        pub min_length: u32,
    }

    /// The account chooser: buttons named `account`, the value `other` for an account that is not in the list.
    pub struct SelectAccount for "select_account" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The application that the person is on the way to.
        pub app_name: Option<Name>,
        /// Why the person chooses on the way to a page of our own, as the id of a message.
        pub purpose: Option<&'static str>,
        /// The accounts that have signed in in this browser.
        pub accounts: Vec<Account>,
    }

    /// One account of [`SelectAccount`].
    pub struct Account {
        /// The value that the button sends.
        pub value: Verbatim,
        /// The person's name.
        pub name: Name,
        /// The e-mail address or user name.
        pub detail: Line,
        /// Whether the account is signed in; the others have to sign in again.
        pub is_signed_in: bool,
    }

    /// The choice of an organization: inputs `organization`, buttons `organization-submit` and `organization-deny`. Without any
    /// it says that there is none.
    pub struct SelectOrganization for "select_organization" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The application that the person is on the way to.
        pub app_name: Option<Name>,
        /// Who chooses.
        pub account: Line,
        /// To sign in as another person.
        pub switch_url: Option<Link>,
        /// The organizations of the person.
        pub organizations: Vec<Organization>,
        /// Whether the application asks for one by name.
        pub is_named: bool,
    }

    /// One organization of [`SelectOrganization`], and of a request that waits for an approval.
    pub struct Organization {
        /// The value that the input sends.
        pub value: Verbatim,
        /// Its name.
        pub name: Name,
        /// Its slug.
        pub slug: Line,
        /// Whether it is the one that was chosen last, or else the first.
        pub is_chosen: bool,
    }

    /// The form that confirms signing out: button `logout-confirm`; where several accounts are signed in, buttons named `account`,
    /// the value `all` for all of them.
    pub struct SignOut for "sign_out" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// The application that asks, when it is known.
        pub app_name: Option<Name>,
        /// Who is signed in.
        pub account: Option<Line>,
        /// Who is signed in, where they are several.
        pub accounts: Vec<Account>,
        /// Whether the application wanted to go on with an address that is not registered.
        pub is_unregistered: bool,
        /// What it was, and what is registered instead: for developers, outside production.
        pub mismatch: Option<Mismatch>,
    }
}

impl Organization {
    /// The organizations of a person to choose from: the one that was chosen last, or else the first, is chosen to begin with.
    pub fn choices(places: &[Place], last: Option<OrganizationId>) -> Vec<Self> {
        let last = last.filter(|last| places.iter().any(|place| place.id == *last));
        let chosen = last.or(places.first().map(|place| place.id));
        let organization = |place: &Place| Self { is_chosen: Some(place.id) == chosen, ..Self::only(place) };
        places.iter().map(organization).collect()
    }

    /// The organization where there is nothing to choose.
    pub fn only(place: &Place) -> Self {
        Self {
            value: place.id.to_string().into(),
            name: (&place.name).into(),
            slug: (&place.slug).into(),
            is_chosen: true,
        }
    }
}

impl Form {
    /// A form of which nothing is wrong yet.
    pub fn new(action: &str, flow: String) -> Self {
        Self { action: action.into(), flow: flow.into(), error: None, captcha: None }
    }

    /// The same form with what was wrong.
    #[must_use]
    pub fn with(self, error: Option<MessageKey>) -> Self {
        Self { error, ..self }
    }

    /// The same form with a challenge.
    #[must_use]
    pub fn asking(self, captcha: Option<Captcha>) -> Self {
        Self { captcha, ..self }
    }
}
