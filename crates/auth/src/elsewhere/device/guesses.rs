//! What bounds guesses at the codes of devices (RFC 8628 §5.1): by one person, from one address, and at one tenant altogether.

use svc_core::events::BruteForceDetected;
use svc_core::{Result, Seconds};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::tenant_users::Person;
use svc_http::HostCx;

/// Codes tried by one person, from one address, and wrong ones at one tenant altogether, within the window. Ten
/// thousand guesses at a thousand live codes hit one with a chance of 1 to 2,500 (20^8 codes).
const MOST_OF_PERSON: i64 = 20;
const MOST_OF_ADDRESS: i64 = 60;
const MOST_WRONG: i64 = 10_000;
const WINDOW: Seconds = Seconds(600);

/// Counts a guess of a person from a browser, and returns how long to wait where there were too many. Counted before the code is
/// looked up, so that parallel guesses cannot outrun the counters.
pub async fn count(host: &HostCx, person: &Person) -> Result<Option<Seconds>> {
    if let Some(wait) = count_of_person(host, person).await? {
        return Ok(Some(wait));
    }
    let of_address = format!("user code {} at {}", host.tenant.id, host.arrival.throttle_key());
    count_at(host, person, (&of_address, MOST_OF_ADDRESS)).await
}

/// The same where all people of an application may come from one address, that of its server.
pub async fn count_of_person(host: &HostCx, person: &Person) -> Result<Option<Seconds>> {
    let (coordination, now, tenant) = (&host.app.coordination, host.cx.now, host.tenant.id);
    if coordination.count(&format!("user codes closed {tenant}"), WINDOW, now).await.count > 0 {
        return Ok(Some(WINDOW));
    }
    let of_person = format!("user code {tenant} {}", person.id);
    count_at(host, person, (&of_person, MOST_OF_PERSON)).await
}

async fn count_at(host: &HostCx, person: &Person, (key, most): (&str, i64)) -> Result<Option<Seconds>> {
    let count = host.app.coordination.incr(key, WINDOW, host.cx.now).await;
    if count.count == most + 1 {
        report(host, person).await?;
    }
    Ok(count.wait_beyond(most, host.cx.now))
}

/// Wrong codes from many people and addresses together close the endpoints for a while.
pub async fn count_wrong(host: &HostCx) {
    let (coordination, now, tenant) = (&host.app.coordination, host.cx.now, host.tenant.id);
    let count = coordination.incr(&format!("user codes wrong {tenant}"), WINDOW, now).await;
    if count.count > MOST_WRONG {
        coordination.incr(&format!("user codes closed {tenant}"), WINDOW, now).await;
    }
}

async fn report(host: &HostCx, person: &Person) -> Result<()> {
    let cx = host.cx.acting_as(person.actor());
    let event = BruteForceDetected { tenant_user_id: Some(person.id), reason: "user_codes", attempts: None };
    let mut tx = host.begin().await?;
    record(&mut tx, &cx, Meaning::denied(Action::UserCodesGuessed, person.id).telling(event));
    tx.commit().await
}
