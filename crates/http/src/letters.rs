//! Mails that the management API sends to people: the plane that has their pages writes them.

use std::pin::Pin;

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::people::tenant_users::Person;

use crate::context::TenantCx;

/// The mails, one writer each; a process that serves the management API has them in `Parts::planes`.
pub struct Letters {
    /// Invites a person whose membership waits for that.
    pub invitation: Letter,
    /// Lets a person choose a new password.
    pub recovery: Letter,
}

/// Stores a link for a person and queues the mail with it.
pub type Letter = for<'a> fn(&'a TenantCx, &'a mut Tx<Tenant>, &'a Person) -> Writing<'a>;
/// A mail in the making.
pub type Writing<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;
