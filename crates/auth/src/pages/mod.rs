//! The hosted pages and their mails: templates, languages, a tenant's look (OpenID Connect Core §3.1.2).

mod account;
mod approvals;
mod assets;
mod branding;
mod catalogue;
mod changed;
mod chosen;
mod declare;
mod delegations;
mod durations;
mod ends;
mod fixed;
mod folder;
mod fonts;
mod forms;
mod guardians;
mod intake;
mod kit;
mod locale;
mod mail;
mod messages;
mod mismatch;
mod originals;
mod outcomes;
mod owed;
mod own;
mod preview;
mod reference;
mod scopes;
mod sso;
mod sso_step;
mod support;
mod support_states;
mod templates;
mod text;
mod text_message;
mod values;

pub use account::{
    AccountAccounts, AccountBackupCodes, AccountData, AccountDeletion, AccountEmail, AccountFrame,
    AccountIdentities, AccountIdentity, AccountInvitation, AccountKeep, AccountLogin, AccountLoginHistory,
    AccountOrganization, AccountOrganizations, AccountOverview, AccountPasskey, AccountPasskeys,
    AccountPassword, AccountPhone, AccountProfile, AccountSecondFactors, AccountSession, AccountSessions,
    AppKey, IdentityProvider, Kept, Tab, day,
};
pub use approvals::{Access, Allowed, App, Approval, Approvals, Consent, DeviceCode, RequestedAccess};
pub use assets::{Asset, PREFIX as ASSETS_PREFIX, asset, url as asset_url};
pub use branding::Branding;
pub use changed::Changed;
pub use chosen::{
    ACCOUNT_TITLES, FOR_ACCESS, FOR_ACCOUNT, FOR_APPROVALS, FOR_DEVICE, FOR_INVITATION, FOR_RECOVERY,
    LOGIN_REASONS, LOGIN_WAYS,
};
pub use declare::{Page, Shown};
pub use delegations::{AccountDelegation, AccountDelegations};
pub use ends::{Done, ErrorPage, Field, FormPost, Leaving, SignedOut, Start};
pub use forms::{
    Account, Captcha, Forgot, ForgotSent, Form, Join, MethodPart, NewAddress, Organization,
    OrganizationInvitation, OtherWays, Register, RegisterCode, RegisterName, RegisterSent, ResetPassword,
    SelectAccount, SelectOrganization, SignIn, SignInLink, SignOut, UndoAddress, VerifyEmail, WasThisYou,
};
pub use guardians::{
    AccountGuardian, AccountGuardians, AccountGuarding, AskingBrowser, GuardedPerson, RecoveryAsk,
    RecoveryAsked, RecoveryCancel, RecoveryStatus,
};
pub use intake::{ChoicePart, FieldPart, Intake, TermsPart};
pub use kit::{Address, Data, LANGUAGE, Look, Pages};
pub use locale::{Locale, language_tag};
pub use mail::{Mail, MailText, Topic};
pub use messages::MessageKey;
pub use mismatch::Mismatch;
pub use originals::WORDING;
pub use outcomes::Outcome;
pub use owed::{AcceptedTerms, AccountDetails, AccountTerms, Complete};
pub use own::Own;
pub use preview::{Drawn, Preview, PreviewChoice, fonts, samples};
pub use reference::{Answer, Body, Group, Operation, Parameter, Part, Reference, Shared, SignInOf};
pub use sso::{AccountSso, SsoConnection, SsoTrial};
pub use sso_step::SsoStep;
pub use support::{AccountSupport, ActingFor, Impersonate, SupportRequest, SupportVisit};
pub use support_states::STATES as SUPPORT_STATES;
pub use text_message::TextTopic;
pub use values::{ForeignLink, Image, Line, Link, Name, Paragraph, ReturnAddress, Sentences, Verbatim};

#[cfg(test)]
mod tests;
