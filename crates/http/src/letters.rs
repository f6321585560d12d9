//! Mails that the management API sends to people: the plane that has their pages writes them.

use std::pin::Pin;

use svc_core::{Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::organizations::Organization;
use svc_domain::people::credentials::Credential;
use svc_domain::people::tenant_users::Person;

use crate::context::TenantCx;

/// The mails, one writer each; a process that serves the management API has them in `Parts::planes`.
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

/// A mail in the making.
pub type Writing<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;
