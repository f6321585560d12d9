//! Who has an address to prove before they get in, where the tenant wants addresses proven.

use svc_domain::grants::grant::Authentication;
use svc_domain::people::tenant_users::Person;
use svc_http::HostCx;

use super::methods;

/// Whether a person who has signed in so has an address to prove. The word of an organization's provider stands for the address of its
/// own people.
pub fn is_owed_by(host: &HostCx, (person, authentication): (&Person, &Authentication)) -> bool {
    let is_vouched = authentication.amr.iter().any(|used| methods::sso::METHOD.amr.contains(&used.as_str()));
    is_owed(host, (person.email.as_deref(), person.email_verified)) && !is_vouched
}

/// Whether an address, if there is one, is to be proven.
pub fn is_owed(host: &HostCx, (email, is_proven): (Option<&str>, bool)) -> bool {
    host.tenant.settings.verified_email_required && email.is_some() && !is_proven
}
