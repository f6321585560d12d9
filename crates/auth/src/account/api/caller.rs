//! The person who calls, and what they carry between two calls that belong together.

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result, Seconds, Timestamp};
use svc_domain::grants::refresh;
use svc_http::{NoContent, Problem, TenantCx};
use svc_keys::digest;

use super::super::own::owner::Own;
use crate::hosted::{Carried, Envelope};
use crate::signin::{is_of_others, person_of_token};

/// The scope that opens reads.
pub const READ: &str = "identity:read";
/// The scope that opens writes.
pub const WRITE: &str = "identity:write";

/// How long a person may take between two calls that belong together.
const LIFETIME: Seconds = Seconds(15 * 60);

/// The person at their own account. Applications of others are refused: what a person has allowed in passing must not be enough
/// to take the account over.
pub async fn own(caller: &TenantCx) -> Result<Own> {
    if is_of_others(caller).await? {
        return Err(Error::forbidden("only an application of the tenant's own looks after accounts"));
    }
    let mut tx = caller.read().await?;
    let person = person_of_token(caller, &mut tx).await?;
    // A body may come in long after its token was looked at, and another process may have ended the token meanwhile.
    if person.credentials_changed_at > caller.now {
        return Err(Error::forbidden("the access token has ended meanwhile; sign in again"));
    }
    let language = person.profile.locale.clone();
    let session = refresh::session_of(&mut tx, &caller.claims).await?;
    Ok(Own::new(caller.host(), (person, session), language))
}

/// Refuses what could not be used where second factors are switched off.
pub fn must_offer_second_factors(caller: &TenantCx) -> Result<()> {
    if caller.app.config.two_factor.enabled {
        return Ok(());
    }
    Err(Error::not_found("second factors are not offered here"))
}

/// Nothing to say of a change, or that there is no such record.
pub fn found(is_there: bool) -> Result<NoContent, Problem> {
    if is_there { Ok(NoContent) } else { Err(Error::unknown_id().into()) }
}

/// What the first of two calls leaves for the second: a key or a challenge.
#[derive(Serialize, Deserialize)]
pub struct Begun {
    /// Which two calls.
    what: String,
    kept: String,
}

impl Carried for Begun {
    const LABEL: &'static str = "own account";

    fn expires_at(&self, now: Timestamp, _: Seconds) -> Timestamp {
        now + LIFETIME
    }
}

/// Seals what the second call needs, for the person alone.
pub fn seal(own: &Own, what: &str, kept: &str) -> Result<String> {
    envelope(own).seal(&Begun { what: what.to_owned(), kept: kept.to_owned() })
}

/// What the first call left.
pub fn open(own: &Own, what: &str, flow: &str) -> Result<String> {
    let begun: Option<Begun> = envelope(own).open(Some(flow)).ok();
    let begun = begun.filter(|begun| begun.what == what);
    begun.map(|begun| begun.kept).ok_or_else(|| {
        Error::bad_request("flow: give the one of the first call, within 15 minutes and for the same person")
    })
}

fn envelope(own: &Own) -> Envelope<'_> {
    Envelope {
        sealer: &own.host.app.services.forms,
        tenant: own.host.tenant.id,
        browser: digest(&own.person.subject),
        cx: own.cx(),
        login: LIFETIME,
    }
}
