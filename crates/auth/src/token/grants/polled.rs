//! What the grants that are polled for have in common (RFC 8628 §3.5, OpenID CIBA §11): a poll with nothing to fetch
//! writes nothing, and an approved request is fetched once.

use svc_core::{Digest, Error, Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::coordination::attempts;
use svc_domain::grants::grant::{Authentication, AuthorizationGrant};
use svc_domain::grants::polled::{LONGEST_INTERVAL, Polled, Redeemed, SLOW_DOWN, Standing, State};
use svc_domain::people::sessions;
use svc_domain::people::tenant_users::Person;

use crate::token::approval::{Approval, Denied, Refresh};
use crate::token::grant::Request;
use crate::token::organization;

/// Answers a poll that has nothing to fetch; anything else is for [`redeem`] to answer.
pub(super) async fn look(request: &Request<'_>, what: Polled) -> Result<()> {
    let (host, digest) = (request.host, digest(request, what)?);
    let found = host.app.services.waiting.standing((host.tenant.id, what), digest, host.cx.now).await?;
    match found.filter(|standing| standing.app == request.app.id) {
        Some(standing) if standing.state == State::Pending && is_hasty(request, &standing) => {
            let mut tx = host.begin().await?;
            what.slow_down(&mut tx, &standing.id);
            tx.commit().await?;
            Err(hasty(request, &standing))
        }
        Some(Standing { state: State::Approved | State::Spent, .. }) | None => Ok(()),
        Some(Standing { state, .. }) => Err(refusal(state)),
    }
}

/// Fetches what was approved, once; a person who may not get anything any more gets nothing.
pub(super) async fn redeem(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    what: Polled,
) -> Result<Approval, Denied> {
    let digest = digest(request, what)?;
    let (cx, app) = (&request.host.cx, request.app.id);
    let Some(redeemed) = what.redeem(tx, cx, digest, app).await? else {
        let standing = standing(request, tx, what, digest).await?;
        return Err(refusal(standing.map_or(State::Spent, |standing| standing.state)).into());
    };
    request.check_resource(&redeemed.grant.audience)?;
    let Redeemed { person, family, grant } = redeemed;
    let Some(person) = still_allowed(request, tx, (person, &grant)).await? else {
        what.withdraw(tx, digest).await?;
        return Err(Denied::burning(refusal(State::Denied)));
    };
    let Some(organization) = organization::granted(request.host, tx, &person, grant.organization).await?
    else {
        what.withdraw(tx, digest).await?;
        return Err(Denied::burning(refusal(State::Denied)));
    };
    Ok(Approval {
        family: Some(family),
        refresh: Refresh::Begin,
        organization,
        ..Approval::of_grant(Box::new(person), grant, request.confirmation())
    })
}

/// The person as they are now, unless they were suspended, removed or locked, or changed their credentials since.
async fn still_allowed(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    (person, grant): (Option<Person>, &AuthorizationGrant),
) -> Result<Option<Person>> {
    let Authentication { session, auth_time, .. } = grant.authentication;
    let Some(person) = person.filter(Person::may_sign_in) else { return Ok(None) };
    if !sessions::is_younger(tx, (session, auth_time), person.credentials_changed_at).await? {
        return Ok(None);
    }
    let is_locked =
        attempts::is_locked(tx, &request.host.cx, attempts::subject_of(person.account_id)).await?;
    Ok((!is_locked).then_some(person))
}

/// Whether the last poll was less than the interval ago. Kept in this node's memory: a poll that reaches another node
/// is one read more, and a write per poll would cost more than it saves.
fn is_hasty(request: &Request<'_>, standing: &Standing) -> bool {
    let (coordination, now) = (&request.host.app.coordination, request.host.cx.now);
    coordination.incr_here(&polls_of(standing), standing.interval, now).count > 1
}

/// The refusal of a poll that came too early. The longer pause is counted from it: what was left of the shorter one is no more.
fn hasty(request: &Request<'_>, standing: &Standing) -> Error {
    let (coordination, now) = (&request.host.app.coordination, request.host.cx.now);
    let interval = Seconds(standing.interval.0 + SLOW_DOWN.0).min(LONGEST_INTERVAL);
    coordination.start_over_here(&polls_of(standing), interval, now);
    Error::slow_down("wait five seconds longer between polls than before").retry_in(interval)
}

fn polls_of(standing: &Standing) -> String {
    format!("poll {}", standing.id)
}

fn refusal(state: State) -> Error {
    match state {
        State::Pending => Error::authorization_pending("the person has not decided yet; ask again later"),
        State::Denied => Error::access_denied("the person did not allow it"),
        State::Expired => Error::expired_token("there was no decision in time; start again"),
        State::Approved | State::Spent => Error::invalid_grant(
            "the request is unknown, was used, or belongs to another application; start again",
        ),
    }
}

/// The digest of the parameter that carries the secret (RFC 8628 §3.4, OpenID CIBA §10.1).
fn digest(request: &Request<'_>, what: Polled) -> Result<Digest> {
    let parameter = match what {
        Polled::DeviceCode => "device_code",
        Polled::CibaRequest => "auth_req_id",
    };
    request.params.required(parameter).map(svc_keys::digest)
}

/// Where the application's own request stands; another's is unknown to it.
async fn standing(
    request: &Request<'_>,
    tx: &mut Tx<Tenant>,
    what: Polled,
    digest: Digest,
) -> Result<Option<Standing>> {
    let standing = what.standing(tx, digest, request.host.cx.now).await?;
    Ok(standing.filter(|standing| standing.app == request.app.id))
}
