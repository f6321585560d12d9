//! Browser sessions: one per tenant host, opaque to the browser, ended in one place.

mod ending;
mod listing;

use svc_config::Config;
use svc_core::events::LoginSucceeded;
use svc_core::{Actor, Cx, Digest, OrganizationId, Result, Seconds, SessionId, TenantUserId, Timestamp};
use svc_db::{Call, Row, Tenant, Tx, args, change_sql, quiet_sql, sql};

pub(super) use self::ending::end_withdrawn;
pub use self::ending::{end, end_overdue, replace, revoke, sign_out};
pub(crate) use self::ending::{end_all, sign_out_at};
pub use self::listing::{Overview, Page, list};
use crate::document;
use crate::grants::grant::Authentication;
use crate::log::{Action, Meaning, change_later};
use crate::people::guests;
use crate::people::tenant_users::{self, Person};
use crate::tenancy::tenants::Limits;

/// A live session with the person behind it.
#[derive(Clone, Debug)]
pub struct Session {
    /// The session; its text form is the `sid` claim.
    pub id: SessionId,
    /// Whose it is.
    pub person: Person,
    /// How and when the person signed in.
    pub authentication: Authentication,
    /// When it began: after the sign-in, where it took the place of a session that a change of the person's own ended.
    pub began_at: Timestamp,
    /// When the browser was last seen, to the minute.
    pub last_seen_at: Timestamp,
    /// The organization that the person chose last.
    pub organization: Option<OrganizationId>,
}

impl Session {
    /// Who acts in it: the person, or support staff for the person.
    pub fn actor(&self) -> Actor {
        let sub = self.person.subject.clone();
        match self.authentication.act() {
            Some(act) => Actor::Delegated { sub, act: act.to_string() },
            None => Actor::User(sub),
        }
    }

    /// Whether support staff act in it.
    pub fn is_acting(&self) -> bool {
        self.authentication.acting.is_some()
    }
}

/// How long sessions live.
#[derive(Clone, Copy, Debug)]
pub struct Lifetimes {
    /// Without being seen.
    pub idle: Seconds,
    /// At the longest.
    pub absolute: Seconds,
}

impl Lifetimes {
    /// Those of a tenant.
    pub fn of(limits: &Limits, config: &Config) -> Self {
        let own = &limits.session_cookie;
        Self { idle: own.idle_lifetime_secs(config), absolute: own.absolute_lifetime_secs(config) }
    }
}

/// What a new session records.
#[derive(Clone, Copy)]
pub struct NewSession<'a> {
    /// The digest of the cookie's value.
    pub digest: Digest,
    /// The methods used (RFC 8176).
    pub amr: &'a [&'a str],
    /// The strength reached.
    pub acr: &'a str,
    /// When the person signed in.
    pub auth_time: Timestamp,
    /// The browser, as it calls itself.
    pub user_agent: &'a str,
}

/// Starts a session for a person who has proven who they are.
pub fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    new: NewSession<'_>,
    lifetimes: Lifetimes,
) -> Result<Session> {
    let id: SessionId = cx.id();
    let insert = change_sql!(
        "INSERT INTO sessions (tenant_id, id, digest, tenant_user_id, auth_time, amr, acr, user_agent, client_ip, \
         created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $4, $11, $6, $7, $8, $9, $5, $5, $10)"
    );
    let address = cx.client_ip.map(|ip| ip.to_string()).unwrap_or_default();
    let user_agent: String = new.user_agent.chars().filter(|c| !c.is_control()).take(200).collect();
    let (methods, expires_at) = (document::store(&new.amr)?, cx.now + lifetimes.absolute);
    let arguments = args![
        id,
        new.digest,
        person.id,
        cx.now,
        methods,
        new.acr,
        user_agent,
        address,
        expires_at,
        new.auth_time
    ];
    let amr: Vec<_> = new.amr.iter().map(|method| (*method).to_owned()).collect();
    let sub = person.subject.clone();
    let event = LoginSucceeded { sub, tenant_user_id: person.id, session_id: id, amr: amr.clone() };
    let meaning = Meaning::done(Action::SessionCreated, id).telling(event);
    change_later(tx, cx, insert, arguments, meaning);
    let acr = new.acr.to_owned();
    let authentication = Authentication { session: id, auth_time: new.auth_time, amr, acr, acting: None };
    let (person, now) = (person.clone(), cx.now);
    Ok(Session { id, person, authentication, began_at: now, last_seen_at: now, organization: None })
}

/// The live session behind a cookie.
pub async fn find(
    tx: &mut Tx<Tenant>,
    digest: Digest,
    now: Timestamp,
    lifetimes: Lifetimes,
) -> Result<Option<Session>> {
    let [rows] = tx.batch([behind(tx, digest, now, lifetimes)]).await?;
    one(tx, &rows).await
}

/// Selects the live session behind a cookie and its person, to be read with others in one round trip.
pub fn behind(tx: &Tx<Tenant>, digest: Digest, now: Timestamp, lifetimes: Lifetimes) -> Call {
    let select = sql!(
        "SELECT s.id AS session_id, s.auth_time, s.amr, s.acr, s.last_seen_at, s.organization_id, \
         s.created_at AS session_created_at, p.id, \
         p.account_id, p.subject, p.username, p.status, p.roles, p.metadata, p.guest_used_at, p.email, p.email_verified, p.profile, p.password, \
         p.credentials_changed_at, p.account_status, p.created_at, p.updated_at, p.account_updated_at, \
         EXISTS (SELECT 1 FROM group_members m WHERE m.tenant_id = s.tenant_id \
         AND m.tenant_user_id = s.tenant_user_id) AS is_in_groups FROM sessions s \
         JOIN people p ON p.tenant_id = s.tenant_id AND p.id = s.tenant_user_id WHERE s.tenant_id = $1 \
         AND s.digest = $2 AND s.ended_at IS NULL AND s.expires_at > $3 AND s.last_seen_at > $4 \
         AND s.created_at > $5"
    );
    // What a session was to live for when it began does not count where the tenant has shortened that since.
    tx.call(select, args![digest, now, now - lifetimes.idle, now - lifetimes.absolute])
}

/// The session that the statement of [`behind`] yielded. A session that is older than its account's credentials is over.
pub async fn one(tx: &mut Tx<Tenant>, rows: &[Row]) -> Result<Option<Session>> {
    let Some(row) = rows.first() else { return Ok(None) };
    let person = tenant_users::person_and_groups(tx, row).await?;
    let is_current = person.may_sign_in() && row.time("session_created_at")? >= person.credentials_changed_at;
    is_current.then(|| session(row, person)).transpose()
}

/// Notes that the browser was seen; at most one write a minute and session.
pub fn touch(tx: &mut Tx<Tenant>, cx: &Cx, session: &Session) {
    guests::note_use(tx, &session.person, cx.now);
    if cx.now - session.last_seen_at < Seconds(60) {
        return;
    }
    let update = quiet_sql!(
        "notes when a browser was seen",
        "UPDATE sessions SET last_seen_at = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(update, args![session.id, cx.now]);
}

/// Notes which organization the person has chosen: the one that is offered first the next time.
pub fn choose(tx: &mut Tx<Tenant>, session: &Session, organization: OrganizationId) {
    let update = quiet_sql!(
        "notes a choice; the authorization is recorded",
        "UPDATE sessions SET organization_id = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(update, args![session.id, organization]);
}

/// How and when the person behind a live session signed in.
pub async fn authentication(
    tx: &mut Tx<Tenant>,
    id: SessionId,
    person: TenantUserId,
) -> Result<Option<Authentication>> {
    let select = sql!(
        "SELECT auth_time, amr, acr FROM sessions WHERE tenant_id = $1 AND id = $2 AND tenant_user_id = $3 \
         AND ended_at IS NULL"
    );
    let Some(row) = tx.optional(select, args![id, person]).await? else { return Ok(None) };
    let (auth_time, acr) = (row.time("auth_time")?, row.text("acr")?);
    Ok(Some(Authentication { session: id, auth_time, amr: document::load(&row, "amr")?, acr, acting: None }))
}

/// Whether a sign-in counts after a change of credentials: it was made, or its session began, not before that.
pub async fn is_younger(
    tx: &mut Tx<Tenant>,
    (session, auth_time): (SessionId, Timestamp),
    changed_at: Timestamp,
) -> Result<bool> {
    if auth_time >= changed_at {
        return Ok(true);
    }
    Ok(began_at(tx, session).await?.is_some_and(|began_at| began_at >= changed_at))
}

/// When a session began, ended or not.
pub async fn began_at(tx: &mut Tx<Tenant>, session: SessionId) -> Result<Option<Timestamp>> {
    let select = sql!("SELECT created_at FROM sessions WHERE tenant_id = $1 AND id = $2");
    tx.optional(select, args![session]).await?.map(|row| row.time("created_at")).transpose()
}

/// Whether a session has neither ended nor expired; how long the browser was away does not matter here.
pub async fn is_live(
    tx: &mut Tx<Tenant>,
    id: SessionId,
    now: Timestamp,
    lifetimes: Lifetimes,
) -> Result<bool> {
    let select = sql!(
        "SELECT id FROM sessions WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL AND expires_at > $3 \
         AND created_at > $4"
    );
    Ok(tx.optional(select, args![id, now, now - lifetimes.absolute]).await?.is_some())
}

/// The session in which a person is who was in this one: itself, or the one in its place since they signed in once more.
pub async fn present(tx: &mut Tx<Tenant>, id: SessionId) -> Result<SessionId> {
    let select = sql!("SELECT continued_as FROM sessions WHERE tenant_id = $1 AND id = $2");
    let Some(row) = tx.optional(select, args![id]).await? else { return Ok(id) };
    Ok(row.maybe_parse("continued_as")?.unwrap_or(id))
}

pub(crate) fn session(row: &Row, person: Person) -> Result<Session> {
    let id: SessionId = row.parse("session_id")?;
    let authentication = Authentication {
        session: id,
        auth_time: row.time("auth_time")?,
        amr: document::load(row, "amr")?,
        acr: row.text("acr")?,
        acting: None,
    };
    Ok(Session {
        id,
        person,
        authentication,
        began_at: row.time("session_created_at")?,
        last_seen_at: row.time("last_seen_at")?,
        organization: row.maybe_parse("organization_id")?,
    })
}
