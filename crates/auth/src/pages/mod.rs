//! The hosted pages and their mails: templates, languages, a tenant's look (OpenID Connect Core §3.1.2).

mod approvals;
mod assets;
mod branding;
mod catalogue;
mod folder;
mod forms;
mod gates;
mod kit;
mod locale;
mod mail;
mod messages;
mod mismatch;
mod page;
mod templates;
mod text;

pub use approvals::{Approval, Approvals, DeviceCode};
pub use assets::{Asset, PREFIX as ASSETS_PREFIX, asset, url as asset_url};
pub use branding::Branding;
pub use forms::{
    Account, App, Consent, Forgot, Join, MethodPart, Register, ResetPassword, ScopeText, SelectAccount,
    SignIn, SignOut, VerifyEmail,
};
pub use kit::{Look, Pages};
pub use locale::Locale;
pub use mail::{Mail, MailText};
pub use messages::{MessageKey, Outcome};
pub use mismatch::Mismatch;
pub use page::{Done, ErrorPage, ForgotSent, FormPost, Link, Message, Page, RegisterSent, SignedOut, Start};

#[cfg(test)]
mod tests;
