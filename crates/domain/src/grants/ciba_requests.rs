//! Backchannel authentication requests (OpenID CIBA §7): decided by the person whom the hint means, if it means one.
//!
//! A hint is kept as it came and looked up by its owner alone: a request for an unknown or inactive person does the
//! same work, stores the same row and is polled like any other, and yet cannot be found or decided.

use serde_json::json;
use svc_core::{AppId, CibaRequestId, Cx, Digest, FamilyId, Result, Timestamp};
use svc_db::{Row, Tenant, Tx, args, before, change_sql, quiet_sql, sql};

use crate::document;
use crate::grants::polled::{self, Decision, LONGEST_INTERVAL, Pace, Redeemed, SLOW_DOWN, Standing, Wanted};
use crate::log::{Action, Meaning, change, change_later};
use crate::people::tenant_users::{self, Credential, Person, identifier_key};

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

/// A request that waits for its decision.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The request.
    pub id: CibaRequestId,
    /// Who asks.
    pub app: AppId,
    /// For what.
    pub wanted: Wanted,
    /// What the person reads on both devices.
    pub binding_message: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// Which of a person's requests a list asks for.
pub struct Page {
    /// Before which request.
    pub cursor: Option<CibaRequestId>,
    /// How many.
    pub limit: u32,
}

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

/// Where a request stands.
pub async fn standing(tx: &mut Tx<Tenant>, digest: Digest, now: Timestamp) -> Result<Option<Standing>> {
    let select = sql!(
        "SELECT id, app_id, state, interval_secs, expires_at FROM ciba_requests WHERE tenant_id = $1 AND digest = $2"
    );
    tx.optional(select, args![digest]).await?.map(|row| polled::standing(&row, now)).transpose()
}

/// Lengthens the pause between polls, up to a minute.
pub fn slow_down(tx: &mut Tx<Tenant>, id: &str) {
    let update = quiet_sql!(
        "counts polls",
        "UPDATE ciba_requests SET interval_secs = interval_secs + $3 WHERE tenant_id = $1 AND id = $2 \
         AND state = 'pending' AND interval_secs + $3 <= $4"
    );
    tx.later(update, args![id, SLOW_DOWN.0, LONGEST_INTERVAL.0]);
}

/// The requests that wait for a person, newest first. Only requests younger than the person's record count: a person who
/// takes a name or is reactivated later does not inherit what was asked before.
pub async fn of_person(
    tx: &mut Tx<Tenant>,
    person: &Person,
    now: Timestamp,
    page: &Page,
) -> Result<Vec<Pending>> {
    let select = sql!(
        "SELECT id, app_id, request, binding_message, created_at, expires_at FROM ciba_requests WHERE tenant_id = $1 \
         AND (hint = $2 OR hint = $3) AND created_at >= $4 AND state = 'pending' AND expires_at > $5 \
         AND id < $6 ORDER BY id DESC LIMIT $7"
    );
    let [first, second] = hints(person);
    let arguments = args![first, second, person.updated_at, now, before(page.cursor), page.limit];
    tx.all(select, arguments).await?.iter().map(pending).collect()
}

/// One of them, decided or not; nothing where it is not theirs.
pub async fn find(tx: &mut Tx<Tenant>, id: CibaRequestId, person: &Person) -> Result<Option<Pending>> {
    let select = sql!(
        "SELECT id, app_id, request, binding_message, created_at, expires_at FROM ciba_requests WHERE tenant_id = $1 \
         AND id = $2 AND (hint = $3 OR hint = $4) AND created_at >= $5"
    );
    let [first, second] = hints(person);
    let row = tx.optional(select, args![id, first, second, person.updated_at]).await?;
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
         session_id = $10 WHERE tenant_id = $1 AND id = $2 AND (hint = $3 OR hint = $4) AND created_at >= $5 AND state = 'pending' AND expires_at > $9"
    );
    let [first, second] = hints(person);
    let (state, grant) = (decision.state(), decision.grant()?);
    let arguments =
        args![id, first, second, person.updated_at, state, grant, person.id, cx.now, decision.session()];
    if change(tx, cx, update, arguments, decision.meaning(Action::CibaDecided, id)).await? == 0 {
        let own = sql!(
            "SELECT id FROM ciba_requests WHERE tenant_id = $1 AND id = $2 AND (hint = $3 OR hint = $4) \
             AND created_at >= $5"
        );
        return Err(polled::undecided(
            tx.optional(own, args![id, first, second, person.updated_at]).await?.is_some(),
        ));
    }
    Ok(())
}

/// Spends an approved request: one statement, so that of N at once one wins. The person comes with it, as they are now.
pub async fn redeem(tx: &mut Tx<Tenant>, cx: &Cx, digest: Digest, app: AppId) -> Result<Option<Redeemed>> {
    let update = quiet_sql!(
        "is used once; the token that it buys is recorded",
        "UPDATE ciba_requests SET state = 'spent' WHERE tenant_id = $1 AND digest = $2 AND app_id = $3 \
         AND state = 'approved' AND expires_at > $4 RETURNING family_id, authorization_grant"
    );
    let update = tx.call(update, args![digest, app, cx.now]);
    let person = tenant_users::behind(tx, Credential::CibaRequest, digest);
    let [redeemed, person] = tx.batch([update, person]).await?;
    polled::redeemed(&redeemed, &person)
}

/// Turns a request that was just spent into one that was denied, because its person may no longer be given anything.
pub async fn withdraw(tx: &mut Tx<Tenant>, digest: Digest) -> Result<()> {
    let update = quiet_sql!(
        "the refusal of its token is recorded",
        "UPDATE ciba_requests SET state = 'denied' WHERE tenant_id = $1 AND digest = $2 AND state = 'spent'"
    );
    tx.execute(update, args![digest]).await.map(|_| ())
}

/// The hints that mean a person; who has but one name is meant by it twice.
fn hints(person: &Person) -> [Option<Digest>; 2] {
    [&person.email, &person.username].map(|name| name.as_deref().map(hint))
}

fn pending(row: &Row) -> Result<Pending> {
    Ok(Pending {
        id: row.parse("id")?,
        app: row.parse("app_id")?,
        wanted: document::load(row, "request")?,
        binding_message: row.maybe_text("binding_message")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
    })
}
