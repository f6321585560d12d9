//! Backchannel authentication requests (OpenID CIBA §7): decided by the person whom the hint means, if it means one.
//!
//! A hint is kept as it came and looked up by its owner alone: a request for an unknown or inactive person does the
//! same work, stores the same row and is polled like any other, and yet cannot be found or decided.

use serde_json::json;
use svc_core::{AppId, CibaRequestId, Cx, Digest, FamilyId, Result, Timestamp};
use svc_db::{Row, Tenant, Tx, account_sql, args, before, change_sql, sql};

use crate::document;
use crate::grants::polled::{self, Decision, Pace, Wanted};
use crate::log::{Action, Meaning, change, change_later};
use crate::people::tenant_users::{Person, identifier_key};

/// What a request brings.
pub struct New<'a> {
    /// Who asks.
    pub app: AppId,
    /// For what.
    pub wanted: &'a Wanted,
    /// Whom: an e-mail address or a user name.
    pub login_hint: &'a str,
    /// What the person reads on both devices.
    pub binding_message: Option<&'a str>,
    /// How it is polled.
    pub pace: Pace,
}

/// A request that waits for its decision, with what the person reads on both devices.
pub type Pending = polled::Pending<CibaRequestId, Option<String>>;

/// Reads backchannel requests; the argument says which.
macro_rules! ciba_requests_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, app_id, request, binding_message, created_at, expires_at FROM ciba_requests \
             WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Which of a person's requests a list asks for.
pub type Page = polled::Page<CibaRequestId>;

/// Stores a new request by the digest of its `auth_req_id`.
pub fn create(tx: &mut Tx<Tenant>, cx: &Cx, digest: Digest, new: &New<'_>) -> Result<()> {
    let insert = change_sql!(
        "INSERT INTO ciba_requests (tenant_id, id, digest, app_id, hint, family_id, request, binding_message, state, \
         interval_secs, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', $9, $10, $11)"
    );
    let (id, family): (CibaRequestId, FamilyId) = (cx.id(), cx.id());
    let (request, ends) = (document::store(new.wanted)?, cx.now + new.pace.lifetime);
    let hint = hint(new.login_hint);
    let arguments = args![
        id,
        digest,
        new.app,
        hint,
        family,
        request,
        new.binding_message,
        new.pace.interval.0,
        cx.now,
        ends
    ];
    let facts = json!({ "scope": new.wanted.scope, "audience": new.wanted.audience, "ciba_request_id": id });
    let meaning = Meaning::done(Action::CibaRequested, new.app).with(facts);
    change_later(tx, cx, insert, arguments, meaning);
    Ok(())
}

/// What a hint is kept, compared and counted as.
pub fn hint(login_hint: &str) -> Digest {
    svc_keys::digest(&identifier_key(login_hint))
}

/// The requests that wait for a person, newest first. Only those count that were made since the person has these names and is
/// active: who takes a name or is reactivated later does not inherit what was asked before.
pub async fn of_person(
    tx: &mut Tx<Tenant>,
    person: &Person,
    now: Timestamp,
    page: &Page,
) -> Result<Vec<Pending>> {
    let select = ciba_requests_sql!(
        "(hint = $2 OR hint = $3) AND created_at >= $4 AND state = 'pending' AND expires_at > $5 \
         AND id < $6 ORDER BY id DESC LIMIT $7"
    );
    let [first, second] = hints(person);
    let since = named_since(tx, person).await?;
    let arguments = args![first, second, since, now, before(page.cursor), page.limit];
    tx.all(select, arguments).await?.iter().map(pending).collect()
}

/// One of them, decided or not; nothing where it is not theirs.
pub async fn find(tx: &mut Tx<Tenant>, id: CibaRequestId, person: &Person) -> Result<Option<Pending>> {
    let select = ciba_requests_sql!("id = $2 AND (hint = $3 OR hint = $4) AND created_at >= $5");
    let [first, second] = hints(person);
    let since = named_since(tx, person).await?;
    let row = tx.optional(select, args![id, first, second, since]).await?;
    row.as_ref().map(pending).transpose()
}

/// Decides a request: one statement, so that of two decisions at once one wins and the other is a conflict.
pub async fn decide(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (id, person): (CibaRequestId, &Person),
    decision: Decision<'_>,
) -> Result<()> {
    let update = change_sql!(
        "UPDATE ciba_requests SET state = $6, authorization_grant = $7, tenant_user_id = $8, decided_at = $9, \
         session_id = $10, family_id = $11, organization_id = $12 WHERE tenant_id = $1 AND id = $2 AND (hint = $3 OR hint = $4) \
         AND created_at >= $5 AND state = 'pending' AND expires_at > $9"
    );
    let [first, second] = hints(person);
    let since = named_since(tx, person).await?;
    let (state, grant) = (decision.state(), decision.grant()?);
    // What is allowed begins now: a revocation between the request and the decision does not concern it.
    let (session, family): (_, FamilyId) = (decision.session(), cx.id());
    let arguments = args![
        id,
        first,
        second,
        since,
        state,
        grant,
        person.id,
        cx.now,
        session,
        family,
        decision.organization()
    ];
    if change(tx, cx, update, arguments, decision.meaning(Action::CibaDecided, id)).await? == 0 {
        let own = sql!(
            "SELECT id FROM ciba_requests WHERE tenant_id = $1 AND id = $2 AND (hint = $3 OR hint = $4) \
             AND created_at >= $5"
        );
        let is_own = tx.optional(own, args![id, first, second, since]).await?.is_some();
        return Err(polled::undecided(is_own));
    }
    Ok(())
}

/// Since when the names of a person have meant this person, and one who may be asked. What else changes of them is no reason to
/// lose a request: they may have to complete their profile, or to prove an address, before they may decide.
async fn named_since(tx: &mut Tx<Tenant>, person: &Person) -> Result<Timestamp> {
    let member = sql!(
        "SELECT COALESCE(named_since, created_at) AS since FROM tenant_users WHERE tenant_id = $1 AND id = $2"
    );
    let account =
        account_sql!("SELECT COALESCE(named_since, created_at) AS since FROM accounts WHERE id = $1");
    let calls = [tx.call(member, args![person.id]), tx.call(account, args![person.account_id])];
    let [member, account] = tx.batch(calls).await?;
    let mut since = person.created_at;
    for row in member.iter().chain(&account) {
        since = since.max(row.time("since")?);
    }
    Ok(since)
}

/// The hints that mean a person; who has but one name is meant by it twice.
fn hints(person: &Person) -> [Option<Digest>; 2] {
    [&person.email, &person.username].map(|name| name.as_deref().map(hint))
}

fn pending(row: &Row) -> Result<Pending> {
    polled::pending(row, row.maybe_text("binding_message")?)
}
