//! The messages that handlers choose: what stands with a form, and what became of a request that failed.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use svc_core::Seconds;

use super::declare::Shown;

/// Declares messages, one row each: the variant with its number, if it has one, the id in the catalogues, and the input
/// that it is about. `credentials` are user name and password together; nothing stands for the whole form.
macro_rules! messages {
    ($($(#[$doc:meta])* $variant:ident $({ $count:ident })? => $id:literal $(at $field:literal)?;)*) => {
        /// A message with a form, as an error or as a notice.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum MessageKey {$(
            $(#[$doc])*
            $variant $({
                #[doc = concat!("The number of ", stringify!($count), ".")]
                $count: u32,
            })?,
        )*}

        impl MessageKey {
            /// One of each, for tests that enumerate.
            pub const ALL: &'static [Self] = &[$(Self::$variant $({ $count: 5 })?),*];

            /// The id in the catalogues.
            pub fn id(self) -> &'static str {
                match self { $(Self::$variant { .. } => $id),* }
            }

            fn field(self) -> &'static str {
                match self { $(Self::$variant { .. } => concat!($($field)?)),* }
            }

            /// The number in the message.
            fn count(self) -> u32 {
                let numbers: &[u32] = match self { $(Self::$variant $({ $count })? => &[$($count)?]),* };
                numbers.first().copied().unwrap_or_default()
            }
        }
    };
}

messages! {
    /// The pair of user name and password is wrong; says nothing about which.
    WrongCredentials => "error-wrong-credentials" at "credentials";
    /// Too many wrong attempts, for this account or from this address; says when another attempt makes sense.
    TooManyAttempts { minutes } => "error-too-many-attempts";
    /// The service cannot be reached; says when another attempt makes sense.
    UnavailableFor { minutes } => "error-unavailable-for";
    /// Too many wrong guesses by this name; says how to go on.
    LockedOut { minutes } => "error-locked-out";
    /// The sign-in is too unusual; its owner has a mail.
    SignInUnusual => "error-sign-in-unusual";
    /// The same of an owner whom no mail reaches, and whom none would help to a new password.
    SignInUnusualUntold => "error-sign-in-unusual-untold";
    /// Application or organization accept other ways to sign in.
    WayNotAccepted => "error-way-not-accepted";
    /// A hook of the tenant refuses the sign-in.
    SignInRefused => "error-sign-in-refused";
    /// A hook of the tenant, without which no person signs in, does not answer.
    SignInUnavailable => "error-sign-in-unavailable";
    /// A hook of the tenant asks for a second factor that the person cannot give.
    SecondFactorOutOfReach => "error-second-factor-out-of-reach";
    /// The user name or e-mail address is missing.
    UsernameMissing => "error-username-missing" at "username";
    /// The challenge against automated requests was not answered.
    CaptchaMissing => "error-captcha-missing";
    /// Its answer is wrong, too old, or was used before.
    CaptchaWrong => "error-captcha-wrong";
    /// Its answer cannot be checked now.
    CaptchaUnknown => "error-captcha-unknown";
    /// The password is missing.
    PasswordMissing => "error-password-missing" at "password";
    /// Something that is asked for is missing or wrong; each fault stands at its input.
    AnswersIncomplete => "error-answers-incomplete";
    /// A document was not accepted that must be.
    TermsNotAccepted => "error-terms-not-accepted";
    /// An answer is missing that must be given.
    AnswerMissing => "error-answer-missing";
    /// An answer is none that is asked for.
    AnswerInvalid => "error-answer-invalid";
    /// An answer has fewer characters than this.
    AnswerTooShort { least } => "error-answer-too-short";
    /// An answer has more characters than this.
    AnswerTooLong { most } => "error-answer-too-long";
    /// The name is missing.
    NameMissing => "error-name-missing" at "name";
    /// The e-mail address is missing or is not one.
    EmailInvalid => "error-email-invalid" at "email";
    /// The account has this address already.
    EmailSame => "error-email-same" at "email";
    /// The tenant does not let this address register.
    RegistrationRefused => "error-registration-refused" at "email";
    /// Whether the address may register cannot be found out now.
    RegistrationUnavailable => "error-registration-unavailable";
    /// The new password has fewer characters than this.
    PasswordTooShort { least } => "error-password-too-short" at "password";
    /// The new password has more characters than this.
    PasswordTooLong { most } => "error-password-too-long" at "password";
    /// The new password is known from a breach.
    PasswordBreached => "error-password-breached" at "password";
    /// Whether the new password is known from a breach cannot be found out now.
    PasswordUnchecked => "error-password-unchecked" at "password";
    /// The new password is easy to guess.
    PasswordTooCommon => "error-password-too-common" at "password";
    /// The code of a device is wrong or too old; says nothing about which.
    UserCodeUnknown => "error-user-code" at "user_code";
    /// A code is wrong, too old, or was used before; says nothing about which.
    CodeWrong => "error-code-wrong" at "code";
    /// The secret of an app does not open any more, so that its codes cannot be judged.
    AppLost => "error-app-lost" at "code";
    /// A code from paper is wrong or was used before: of it no next one comes.
    BackupCodeWrong => "error-backup-code-wrong" at "code";
    /// The same of a code that was mailed.
    MailCodeWrong => "error-mail-code-wrong" at "code";
    /// The same of a code that came by text message.
    TextCodeWrong => "error-text-code-wrong" at "code";
    /// The phone number is missing or is not one.
    PhoneInvalid => "error-phone-invalid" at "phone";
    /// The account has this phone number already.
    PhoneSame => "error-phone-same" at "phone";
    /// An organization decides how the owner of the address signs in.
    EmailEnforced => "error-email-enforced";
    /// Another account has the phone number.
    PhoneTaken => "error-phone-taken" at "phone";
    /// The address is proven, and the account demands more than its owner can add to that.
    MailCodeNotEnough => "error-mail-code-not-enough";
    /// The same where the owner has no password, and can choose one.
    MailCodeNeedsPassword => "error-mail-code-needs-password";
    /// The phone number is proven, and the account demands more than its owner can add to that.
    TextCodeNotEnough => "error-text-code-not-enough";
    /// The phone number is proven, which would then be all that opens an account of which two factors are demanded.
    PhoneAloneNotEnough => "error-phone-alone-not-enough";
    /// The passkey is none that is known here.
    PasskeyUnknown => "error-passkey-unknown";
    /// The challenge was answered too late, or before.
    PasskeyLate => "error-passkey-late";
    /// The passkey was not unlocked.
    PasskeyLocked => "error-passkey-locked";
    /// The answer of the authenticator does not count.
    PasskeyFailed => "error-passkey-failed";
    /// A name has something to read and one line.
    NameInvalid => "error-name-invalid";
    /// The same of the name of a credential, which is shorter.
    CredentialNameInvalid => "error-credential-name";
    /// The last second factor stays where one is demanded.
    SecondFactorNeeded => "error-second-factor-needed";
    /// Codes on paper stand in for a second factor, and there is none.
    SecondFactorMissing => "error-second-factor-missing";
    /// The owner of an organization stays.
    OrganizationOwned => "error-organization-owned";
    /// A provider is not asked again so soon.
    SsoTestedJustNow => "error-sso-tested";
    /// The account is being deleted already, or its person owns an organization.
    DeletionRefused => "error-deletion-refused";
    /// The deletion is not confirmed.
    DeletionUnsure => "error-deletion-unsure" at "sure";
    /// The person is the last operator of the deployment.
    LastOperator => "error-last-operator";
    /// The address of a guardian is the person's own.
    GuardianSelf => "error-guardian-self" at "email";
    /// The address is invited already, or a guardian's.
    GuardianKnown => "error-guardian-known" at "email";
    /// There are as many guardians as one person may have.
    GuardiansFull { most } => "error-guardians-full" at "email";
    /// There are as many apps for codes as one account may have.
    AppsFull { most } => "error-apps-full";
    /// There are fewer guardians than were to be needed, or too few were to be.
    ThresholdOut { least } => "error-threshold" at "threshold";
    /// The time of waiting is shorter or longer than it may be.
    WaitOut { least } => "error-wait" at "wait_hours";
    /// No browser that asks shows this code.
    RecoveryCodeWrong => "error-recovery-code-wrong" at "code";
    /// The recovery is over.
    RecoveryOver => "error-recovery-over";
    /// The last way to sign in stays.
    LastCredential => "error-last-credential";
    /// Another account, or this one, has the passkey already; or there are too many.
    PasskeyTaken => "error-passkey-taken";
    /// The provider of an organization vouched for the person, and credentials of the account count everywhere.
    ProviderNotEnough => "error-provider-not-enough";
    /// The same where the organization accepts no other sign-in.
    ProviderAlone => "error-provider-alone";
    /// The person has to prove again who they are.
    SignInAgain => "notice-sign-in-again";
    /// Notice: one proof is not enough here.
    OneMoreStep => "notice-one-more-step";
    /// The browser has the session of a guest.
    HereAsGuest => "notice-here-as-guest";
    /// No organization has single sign-on for the domain of the address.
    SsoUnknown => "error-sso-unknown";
    /// The provider of the organization gave no word that counts.
    SsoFailed => "error-sso-failed";
    /// The provider knows the person; the organization does not take them.
    SsoNoMember => "error-sso-no-member";
    /// The other provider gave no word that counts.
    SocialFailed => "error-social-failed";
    /// The provider does not show that the person has just proven who they are.
    ProviderNotFresh => "error-provider-not-fresh";
    /// The person has cancelled at the provider, or may not use the service by it.
    ProviderDeclined => "error-provider-declined";
    /// The provider wants the person to do something there first.
    ProviderUnfinished => "error-provider-unfinished";
    /// The provider signs no one in at the moment.
    ProviderUnavailable => "error-provider-unavailable";
    /// No account is linked to the one at the other provider, and none can be made on this way.
    SocialUnknown => "error-social-unknown";
    /// No account has the address of the other provider, and people cannot register here.
    SocialNoAccount => "error-social-no-account";
    /// Notice: an account has the address of the other provider already.
    SocialKnownAddress => "notice-social-known-address";
    /// Notice: the other provider has proven no address.
    SocialNotLinked => "notice-social-not-linked";
    /// What was typed is no address of Ethereum.
    SiweAddressInvalid => "error-siwe-address" at "address";
    /// The chain is none of those that are offered.
    SiweChainUnknown => "error-siwe-chain";
    /// The signature came too late, or its message was used before.
    SiweLate => "error-siwe-late";
    /// The signature is not that of the address.
    SiweFailed => "error-siwe-failed" at "signature";
    /// The node of the chain cannot be asked now.
    SiweUnavailable => "error-siwe-unavailable";
    /// The key is proven, and the account demands more than its holder can add to that.
    SiweNotEnough => "error-siwe-not-enough";
    /// Notice: no account is linked to the one of Ethereum, and none can be made of it.
    SiweNotLinked => "notice-siwe-not-linked";
    /// Notice: an account at another provider opens this one from now on.
    IdentityLinked => "notice-identity-linked";
    /// Notice: the account at the other provider opens another one, or this one has one there already.
    IdentityTaken => "notice-identity-taken";
    /// Notice: a link was mailed to the new address.
    AddressMailed => "notice-address-mailed";
    /// Support staff do not act for the person any more.
    SupportEnded => "notice-support-ended";
    /// Notice: the phone number is proven.
    PhoneAdded => "notice-phone-added";
    /// Notice: the account has no phone number any more.
    PhoneRemoved => "notice-phone-removed";
    /// Notice: a guardian was invited.
    GuardianInvited => "notice-guardian-invited";
    /// Notice: a guardian was removed.
    GuardianRemoved => "notice-guardian-removed";
    /// Notice: the number of guardians and the time of waiting were saved.
    GuardianRulesSaved => "notice-guardian-rules-saved";
    /// Notice: the person is a guardian now.
    GuardianAccepted => "notice-guardian-accepted";
    /// Notice: the person is no guardian, or none any more.
    GuardianLeft => "notice-guardian-left";
    /// Notice: the guardian's confirmation counts.
    RecoveryConfirmed => "notice-recovery-confirmed";
    /// Notice: the guardian's refusal counts.
    RecoveryRefused => "notice-recovery-refused";
    /// Notice: the recovery was cancelled.
    RecoveryCancelled => "notice-recovery-cancelled";
    /// Notice: the account is not deleted.
    AccountKept => "notice-account-kept";
    /// Notice: the profile was saved.
    ProfileSaved => "notice-profile-saved";
    /// Notice: a version of a document was accepted.
    TermsAccepted => "notice-terms-accepted";
    /// Notice: answers were saved.
    DetailsSaved => "notice-details-saved";
    /// Notice: a credential was added.
    CredentialAdded => "notice-credential-added";
    /// Notice: a credential has another name.
    CredentialRenamed => "notice-credential-renamed";
    /// Notice: a credential was removed.
    CredentialRemoved => "notice-credential-removed";
    /// Notice: every browser is asked for a second factor again.
    BrowsersForgotten => "notice-browsers-forgotten";
    /// Notice: sessions were ended.
    SessionsEnded => "notice-sessions-ended";
    /// Notice: another account acts in this browser from now on.
    AccountSwitched => "notice-account-switched";
    /// Notice: an account is signed out of this browser.
    AccountSignedOut => "notice-account-signed-out";
    /// Notice: the form was shown to another account than the one that acts by now.
    OtherAccount => "notice-other-account";
    /// Notice: the session has ended in which the form was shown.
    SignedOutMeanwhile => "notice-signed-out-meanwhile";
    /// Notice: the mailed link is for another account than those that are signed in.
    LinkOfAnother => "notice-link-of-another";
    /// Notice: the person belongs to an organization no more.
    OrganizationLeft => "notice-organization-left";
    /// Notice: the person is a member of an organization now.
    OrganizationJoined => "notice-organization-joined";
    /// Notice: the person does not become a member.
    InvitationDeclined => "notice-invitation-declined";
    /// Notice: the invitation was revoked, or is over.
    InvitationGone => "notice-invitation-gone";
    /// Notice: an application acts for the person no more.
    DelegationEnded => "notice-delegation-ended";
    /// Notice: the password has been changed.
    PasswordChanged => "notice-password-changed";
}

impl MessageKey {
    /// Whether it is about a challenge against automated requests.
    pub fn is_of_captcha(self) -> bool {
        matches!(self, Self::CaptchaMissing | Self::CaptchaWrong | Self::CaptchaUnknown)
    }

    /// Too many attempts, for so long: whole minutes, rounded up.
    pub fn too_many_attempts(wait: Seconds) -> Self {
        Self::TooManyAttempts { minutes: minutes(wait) }
    }

    /// Out of reach for so long.
    pub fn unavailable_for(wait: Seconds) -> Self {
        Self::UnavailableFor { minutes: minutes(wait) }
    }

    /// Locked for so long.
    pub fn locked_out(wait: Seconds) -> Self {
        Self::LockedOut { minutes: minutes(wait) }
    }
}

/// Whole minutes, rounded up.
fn minutes(wait: Seconds) -> u32 {
    u32::try_from(wait.0.max(1).saturating_add(59) / 60).unwrap_or(u32::MAX)
}

impl Shown for MessageKey {}

impl Serialize for MessageKey {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut message = to.serialize_struct("MessageKey", 3)?;
        message.serialize_field("id", self.id())?;
        message.serialize_field("field", self.field())?;
        message.serialize_field("count", &self.count())?;
        message.end()
    }
}

/// What went wrong, as far as it makes a difference to the person: title and explanation.
pub(super) fn error(code: &str) -> [&'static str; 2] {
    match code {
        "not_found" | "misdirected_request" | "not_implemented" => {
            ["problem-not-found-title", "problem-not-found-text"]
        }
        "payload_too_large" | "headers_too_large" => ["problem-large-title", "problem-large-text"],
        "rate_limited" | "slow_down" => ["problem-rate-title", "problem-rate-text"],
        "expired_token" => ["problem-expired-title", "problem-expired-text"],
        "access_denied" | "forbidden" | "insufficient_scope" => {
            ["problem-denied-title", "problem-denied-text"]
        }
        "server_error" => ["problem-server-title", "problem-server-text"],
        "temporarily_unavailable" => ["problem-unavailable-title", "problem-unavailable-text"],
        _ => ["problem-request-title", "problem-request-text"],
    }
}

/// Every id that is chosen here rather than named in a template.
#[cfg(test)]
pub(super) fn ids() -> impl Iterator<Item = String> {
    use super::chosen;
    use super::outcomes::Outcome;

    let errors = svc_core::Class::ALL.iter().flat_map(|class| error(class.code()));
    MessageKey::ALL
        .iter()
        .map(|key| key.id())
        .chain(Outcome::ALL.iter().flat_map(|outcome| outcome.ids()))
        .chain(chosen::ACCOUNT_TITLES.iter().copied())
        .chain(super::scopes::SCOPES.iter().map(|(_, id)| *id))
        .chain(chosen::LOGIN_WAYS.iter().chain(chosen::LOGIN_REASONS).map(|(_, id)| *id))
        .chain(super::support_states::STATES.iter().map(|(_, id)| *id))
        .chain(super::sso_step::ids())
        .chain(errors)
        .chain(chosen::WHY.iter().copied())
        .map(str::to_owned)
}
