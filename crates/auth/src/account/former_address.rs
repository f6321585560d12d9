//! The mail to the address that an account had, when it gets another.

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::people::address_changes::LIFETIME;

use super::written::Sender;
use crate::hosted::Visit;
use crate::hosted::mail::languages;
use crate::pages::{Mail, Topic};

/// Tells the address that the account had, with the link that takes the change back where there is one.
pub(super) fn tell(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (before, own): (&str, Option<&str>),
    undo: Option<&str>,
) -> Result<()> {
    let topic = if undo.is_some() { Topic::UndoAddress } else { Topic::AddressChanged };
    let (url, time) = (undo.unwrap_or_else(|| visit.host.origin()), undo.map(|_| LIFETIME));
    let mail = Mail { topic, name: None, organization: None, url, code: None, time };
    Sender::from(&visit.host).queue_to(tx, (before, Some(&languages(visit, own))), &mail)
}
