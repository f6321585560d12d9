//! How much a sign-in has to prove: what the application asks for, what the tenant demands, and what the person has set up.

use svc_domain::apps::App;
use svc_domain::claims::assurance::{Level, TRUSTED_BROWSER};
use svc_domain::grants::grant::Authentication;
use svc_domain::people::tenant_users::Person;
use svc_http::HostCx;

use super::floors::{floor, floor_of_person, strict_floor};
use super::held::Held;
use super::methods;
use super::offers;
use super::progress::{Factor, Progress};
use crate::authorize::Assurance;

/// The strength that the sign-in has to reach; `None` where any proof is enough.
pub fn needed(
    host: &HostCx,
    ((asked, app), of_organization): ((Option<&Assurance>, Option<&App>), Option<Level>),
    (progress, held): (&Progress, &Held),
) -> Option<Level> {
    // A guest has nothing to prove more with.
    if progress.first() == Some(Factor::Nothing) {
        return None;
    }
    let best = held.best(host, progress);
    // Who has begun with a mailed code owes what would be asked for after a password, and where there are none, what goes together with
    // the code.
    let from = if offers::password(host) { progress.after_password() } else { progress.beginning() };
    let reachable = held.best(host, &from);
    let own = (held.has_second_factor() && reachable >= Some(Level::Aal2)).then_some(Level::Aal2);
    let demanded =
        own.max(floor(host)).max(held.floor).max(of_organization).filter(|_| !progress.is_trusted());
    // An unusual sign-in sets nothing up: who knows a password that is not theirs would.
    let is_unusual = progress.rated().is_some_and(|rated| rated.asks) && reachable >= Some(Level::Aal2);
    let unusual = is_unusual.then_some(Level::Aal2);
    let of_hook = progress.owes_factor().then_some(Level::Aal2);
    let aim = asked.and_then(|asked| {
        // Nothing is set up for a preference that the application can do without.
        asked.aim(if asked.is_essential() { methods::strongest(host) } else { best })
    });
    demanded.max(unusual).max(of_hook).max(aim).max(strict_floor(host, app))
}

/// The strength that a session of a person must have for an application.
pub fn floor_of(host: &HostCx, app: &App, whose: (&Person, &Authentication)) -> Option<Level> {
    floor_of_all(host, whose).max(strict_floor(host, Some(app)))
}

/// The strength that a session of a person must have for any application.
pub fn floor_of_all(host: &HostCx, (person, authentication): (&Person, &Authentication)) -> Option<Level> {
    let is_trusted = authentication.amr.iter().any(|value| value == TRUSTED_BROWSER);
    floor_of_person(host, person).filter(|_| !is_trusted)
}
