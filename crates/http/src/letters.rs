//! Mails that begin where there are no pages: the plane that has them writes these mails.

use std::pin::Pin;

use svc_core::{Cx, Result, Seconds, TenantId};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::mails::{LostGuardian, NewMail};
use svc_domain::organizations::Organization;
use svc_domain::people::credentials::Credential;
use svc_domain::people::tenant_users::Person;

use crate::app::App;
use crate::context::{Reading, TenantCx};

/// The mails of the management API, one writer each; a process that serves the management API has them in `Parts::planes`.
pub struct Letters {
    /// Invites a person whose membership waits for that.
    pub invitation: Letter,
    /// Invites the owner of an address to an organization.
    pub organization: ToOrganization,
    /// Lets a person choose a new password.
    pub recovery: Letter,
    /// Tells a person that a credential of theirs is gone.
    pub credential_removed: LetterOfRemoval,
    /// Asks a person whether a staff member, the second, may act for them.
    pub impersonation: LetterAbout,
}

/// Stores a link for a person and queues the mail with it.
pub type Letter = for<'a> fn(&'a TenantCx, &'a mut Tx<Tenant>, &'a Person) -> Writing<'a>;
/// Queues the mail to a person about a credential.
pub type LetterOfRemoval =
    for<'a> fn(&'a TenantCx, &'a mut Tx<Tenant>, &'a Person, &'a Credential) -> Writing<'a>;
/// Queues the mail to a person about another.
pub type LetterAbout = for<'a> fn(&'a TenantCx, &'a mut Tx<Tenant>, &'a Person, &'a Person) -> Writing<'a>;
/// Queues the mail of an invitation that is stored already.
pub type ToOrganization = for<'a> fn(&'a TenantCx, &'a mut Tx<Tenant>, OrganizationLetter<'a>) -> Writing<'a>;

/// What the mail of an invitation to an organization says.
#[derive(Clone, Copy)]
pub struct OrganizationLetter<'a> {
    /// The address.
    pub to: &'a str,
    /// The organization.
    pub organization: &'a Organization,
    /// The secret of the link.
    pub secret: &'a str,
    /// How long the link works.
    pub lifetime: Seconds,
}

/// The mails that are written when they are sent, one writer each; a process that sends mails has them in `Parts::planes`.
pub struct Notices {
    /// Tells the owner of an account that one of their guardians is none any more.
    pub lost_guardian: NoticeOfLoss,
}

/// Writes the mail to an owner of that tenant; nothing where there is no one to tell.
pub type NoticeOfLoss =
    for<'a> fn(&'a App, &'a Cx, (TenantId, &'a LostGuardian)) -> Reading<'a, Option<NewMail>>;

/// A mail in the making.
pub type Writing<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;
