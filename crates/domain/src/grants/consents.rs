//! Remembered consent: per person, application and API; authorization details (RFC 9396) only exactly as they were.

use serde_json::json;
use svc_core::events::{ConsentGranted, ConsentRevoked};
use svc_core::{AppId, ConsentId, Cx, Error, FamilyId, Result, Scope, TenantUserId, Timestamp};
use svc_db::{Row, Tenant, Tx, after, args, change_sql, quiet_sql, sql};

use super::{ending, refresh};
use crate::log::{Action, Meaning, change};
use crate::people::tenant_users::Person;
use crate::people::{sessions, subjects};
use crate::tokens::revocations::{self, Revoked};

/// What the person has allowed the application for this API so far, be it nothing in particular; none where they never allowed it
/// a thing. What was allowed to a self-registered application counts as long as that says the same of itself.
pub async fn find(
    tx: &mut Tx<Tenant>,
    person: TenantUserId,
    app: AppId,
    audience: &str,
) -> Result<Option<Scope>> {
    let select = sql!(
        "SELECT c.scope FROM consents c JOIN apps a ON a.tenant_id = c.tenant_id AND a.id = c.app_id \
         WHERE c.tenant_id = $1 AND c.tenant_user_id = $2 AND c.app_id = $3 AND c.audience = $4 \
         AND (c.snapshot IS NULL OR c.snapshot = a.configuration)"
    );
    let row = tx.optional(select, args![person, app, audience]).await?;
    row.as_ref().map(scope_of).transpose()
}

/// Lets no one take back what a person allows an application, from the next statement on, until this transaction ends: what it grants
/// ends with that then. Asked before anything is written that a consent ends.
pub fn rely_on(tx: &mut Tx<Tenant>, person: TenantUserId, app: AppId) {
    tx.share(&allowed_by(person, app));
}

fn allowed_by(person: TenantUserId, app: AppId) -> String {
    format!("what {person} allows {app}")
}

/// What the person has allowed the application for any API so far; nothing where it was never allowed a thing.
pub async fn all(tx: &mut Tx<Tenant>, person: TenantUserId, app: AppId) -> Result<Option<Scope>> {
    let select =
        sql!("SELECT scope FROM consents WHERE tenant_id = $1 AND tenant_user_id = $2 AND app_id = $3");
    let rows = tx.all(select, args![person, app]).await?;
    let scopes: Vec<Scope> = rows.iter().map(scope_of).collect::<Result<_>>()?;
    Ok(scopes.into_iter().reduce(|all, one| all.union(&one)))
}

/// What a person has allowed one application for one API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// Its id.
    pub id: ConsentId,
    /// The application.
    pub app: AppId,
    /// The API, as audiences are stored.
    pub audience: String,
    /// What was allowed.
    pub scope: Scope,
    /// When it was first allowed.
    pub created_at: Timestamp,
    /// When more was allowed last.
    pub updated_at: Timestamp,
}

/// What a person has allowed, the latest first: all of it, each of which the person has decided.
pub async fn of_person(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<Vec<Consent>> {
    let select = sql!(
        "SELECT id, app_id, audience, scope, created_at, updated_at FROM consents \
         WHERE tenant_id = $1 AND tenant_user_id = $2 ORDER BY updated_at DESC, id"
    );
    tx.all(select, args![person]).await?.iter().map(consent).collect()
}

/// A page of what a person has allowed, by id, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    person: TenantUserId,
    cursor: Option<ConsentId>,
    limit: u32,
) -> Result<Vec<Consent>> {
    let select = sql!(
        "SELECT id, app_id, audience, scope, created_at, updated_at FROM consents \
         WHERE tenant_id = $1 AND tenant_user_id = $2 AND id > $3 ORDER BY id LIMIT $4"
    );
    tx.all(select, args![person, after(cursor), limit]).await?.iter().map(consent).collect()
}

fn consent(row: &Row) -> Result<Consent> {
    Ok(Consent {
        id: row.parse("id")?,
        app: row.parse("app_id")?,
        audience: row.text("audience")?,
        scope: scope_of(row)?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}

/// Whatever was allowed one request after the other.
fn scope_of(row: &Row) -> Result<Scope> {
    row.text("scope").map(|text| Scope::restored(&text))
}

/// Takes back what the person has allowed the application, and ends what is under way because of it: codes, approvals,
/// refresh families, delegations, and access tokens whether they belong to one of these or not. The application is
/// notified of the end of the sessions that it knows. What is being granted because of it at this moment ends too. Returns whether there
/// was anything to take back.
pub async fn take_back(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    (app, client_id): (AppId, &str),
) -> Result<bool> {
    tx.hold(&allowed_by(person.id, app));
    ending::of_consent(tx, cx, person.id, (app, client_id)).await?;
    let families = sql!(
        "SELECT id FROM refresh_families WHERE tenant_id = $1 AND tenant_user_id = $2 AND app_id = $3 AND state = 'live'"
    );
    for row in tx.all(families, args![person.id, app]).await? {
        let id: FamilyId = row.parse("id")?;
        refresh::revoke_family(tx, cx, id).await?;
    }
    for sub in subjects::every(tx, person).await? {
        revocations::revoke(tx, cx, &Revoked::Consent { sub, client_id: client_id.to_owned() });
    }
    sessions::sign_out_at(tx, cx, person.id, app).await?;
    let details = quiet_sql!(
        "goes with the consent, whose end is recorded",
        "DELETE FROM consented_details WHERE tenant_id = $1 AND tenant_user_id = $2 AND app_id = $3"
    );
    tx.execute(details, args![person.id, app]).await?;
    let delete =
        change_sql!("DELETE FROM consents WHERE tenant_id = $1 AND tenant_user_id = $2 AND app_id = $3");
    let meaning = Meaning::done(Action::ConsentRevoked, app)
        .with(json!({ "tenant_user_id": person.id }))
        .telling(ConsentRevoked { tenant_user_id: person.id, client_id: app });
    Ok(change(tx, cx, delete, args![person.id, app], meaning).await? > 0)
}

/// How often a grant is judged again because what the person allows has changed since it was read.
const ATTEMPTS: usize = 5;

/// Adds to what the person allows. `conflict` where that changes again and again meanwhile.
pub async fn grant(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: TenantUserId,
    app: AppId,
    given: (&str, &Scope),
) -> Result<()> {
    for _ in 0..ATTEMPTS {
        if is_added(tx, cx, (person, app), given).await? {
            return Ok(());
        }
    }
    Err(Error::conflict("what the person allows changes at this moment; try again"))
}

/// Adds to what stands there, unless that has changed since it was read: of two grants at once neither is lost, and what is taken back
/// does not come back with a grant.
async fn is_added(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (person, app): (TenantUserId, AppId),
    (audience, scope): (&str, &Scope),
) -> Result<bool> {
    let select = sql!(
        "SELECT c.scope, (c.snapshot IS NULL OR c.snapshot = a.configuration) AS counts FROM consents c \
         JOIN apps a ON a.tenant_id = c.tenant_id AND a.id = c.app_id \
         WHERE c.tenant_id = $1 AND c.tenant_user_id = $2 AND c.app_id = $3 AND c.audience = $4"
    );
    let facts = json!({ "audience": audience, "scope": scope });
    let event = ConsentGranted {
        tenant_user_id: person,
        client_id: app,
        aud: audience.to_owned(),
        scope: scope.to_string(),
    };
    let meaning = Meaning::done(Action::ConsentGranted, app).with(facts).telling(event);
    let id: ConsentId = cx.id();
    let Some(row) = tx.optional(select, args![person, app, audience]).await? else {
        let insert = change_sql!(
            "INSERT INTO consents (tenant_id, id, tenant_user_id, app_id, audience, scope, created_at, updated_at, snapshot) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $7, (SELECT a.configuration FROM apps a JOIN registrations r \
             ON r.tenant_id = a.tenant_id AND r.app_id = a.id WHERE a.tenant_id = $1 AND a.id = $4)) \
             ON CONFLICT (tenant_id, tenant_user_id, app_id, audience) DO NOTHING"
        );
        let arguments = args![id, person, app, audience, scope, cx.now];
        return Ok(change(tx, cx, insert, arguments, meaning).await? > 0);
    };
    let before = row.text("scope")?;
    let all = if row.flag("counts")? { Scope::restored(&before).union(scope) } else { scope.clone() };
    let update = change_sql!(
        "UPDATE consents SET scope = $6, updated_at = $7, snapshot = (SELECT a.configuration FROM apps a JOIN registrations r \
         ON r.tenant_id = a.tenant_id AND r.app_id = a.id WHERE a.tenant_id = $1 AND a.id = $3) \
         WHERE tenant_id = $1 AND tenant_user_id = $2 AND app_id = $3 AND audience = $4 AND scope = $5"
    );
    Ok(change(tx, cx, update, args![person, app, audience, before, &all, cx.now], meaning).await? > 0)
}

/// Whether the person has allowed the application exactly these details, by their digest, for this API.
pub async fn has_details(
    tx: &mut Tx<Tenant>,
    person: TenantUserId,
    app: AppId,
    (audience, digest): (&str, &str),
) -> Result<bool> {
    let select = sql!(
        "SELECT digest FROM consented_details WHERE tenant_id = $1 AND tenant_user_id = $2 AND app_id = $3 \
         AND audience = $4 AND digest = $5"
    );
    Ok(tx.optional(select, args![person, app, audience, digest]).await?.is_some())
}

/// Keeps that the person allows these details. The audit entry is that of the consent.
pub async fn remember_details(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (person, app): (TenantUserId, AppId),
    (audience, digest): (&str, &str),
) -> Result<()> {
    let insert = quiet_sql!(
        "goes with the consent, which is recorded",
        "INSERT INTO consented_details (tenant_id, tenant_user_id, app_id, audience, digest, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING"
    );
    tx.execute(insert, args![person, app, audience, digest, cx.now]).await.map(|_| ())
}
