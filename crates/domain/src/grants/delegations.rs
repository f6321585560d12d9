//! Delegations (RFC 8693 §1.1): who acts for whom, for what and until when; ending a link ends everything that was made with it.

mod ending;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::events::{DelegationCreated, DelegationRevoked};
use svc_core::{
    AppId, Cx, DelegationId, Error, FamilyId, OrganizationId, Result, Scope, SessionId, TenantUserId,
    Timestamp,
};
use svc_db::{Call, Row, Tenant, Tx, args, before, change_sql, quiet_sql, sql};
use utoipa::ToSchema;

use crate::document;
use crate::log::{Action, Meaning, change_later, record};

pub use ending::{act_for, of_issuer, of_token, rely_on};
pub(crate) use ending::{of_app, of_consent, of_family, of_organization, of_person, of_session};

/// The longest purpose that is kept, in characters.
pub const LONGEST_PURPOSE: usize = 200;

/// A link: one application acting for one person.
#[derive(Clone, Debug, PartialEq)]
pub struct Delegation {
    /// Its id.
    pub id: DelegationId,
    /// The link that it was made with; `None` where that was the person's own authorization.
    pub parent: Option<DelegationId>,
    /// What its tokens carry.
    pub family: FamilyId,
    /// The person for whom it acts.
    pub person: TenantUserId,
    /// Who acts.
    pub actor: AppId,
    /// The token that was exchanged for it.
    pub source: Source,
    /// The person's session, as far as it is known.
    pub session: Option<SessionId>,
    /// The organization in which its tokens count.
    pub organization: Option<OrganizationId>,
    /// The organization by whose issuer's word it came to be, itself or by what it follows from.
    pub vouched_by: Option<OrganizationId>,
    /// The one API that it is for.
    pub audience: String,
    /// What it permits.
    pub scope: Scope,
    /// What it permits in detail (RFC 9396).
    pub authorization_details: Vec<Value>,
    /// The chain of actors as tokens carry it; none where the application impersonates.
    pub act: Option<Value>,
    /// Its purpose, in the application's words.
    pub purpose: String,
    /// Whether it still counts.
    pub state: State,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Timestamp,
    /// When it was ended.
    pub revoked_at: Option<Timestamp>,
}

/// The token that was exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The application that it had been issued to.
    pub client_id: String,
    /// The family that it belongs to.
    pub family: Option<FamilyId>,
    /// Itself.
    pub jti: String,
}

/// The state of a delegation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = DelegationState)]
pub enum State {
    /// It counts until it expires.
    Live,
    /// It was ended, or its origin was.
    Revoked,
}

/// Stores a new link; its origin must be held before ([`hold`]).
pub fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: &Delegation) -> Result<()> {
    let insert = change_sql!(
        "INSERT INTO delegations (tenant_id, id, parent_id, family_id, tenant_user_id, actor_app_id, source_client_id, \
         source_family_id, source_jti, session_id, audience, scope, actor, purpose, state, created_at, expires_at, \
         authorization_details, organization_id, vouched_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'live', $15, $16, $17, $18, $19)"
    );
    let Source { client_id, family, jti } = &new.source;
    let arguments = args![
        new.id,
        new.parent,
        new.family,
        new.person,
        new.actor,
        client_id,
        *family,
        jti,
        new.session,
        &new.audience,
        new.scope.to_string(),
        document::store(&new.act)?,
        &new.purpose,
        cx.now,
        new.expires_at,
        document::store(&new.authorization_details)?,
        new.organization,
        new.vouched_by
    ];
    let facts = json!({
        "actor": new.actor, "tenant_user_id": new.person, "aud": new.audience, "scope": new.scope,
        "parent": new.parent, "purpose": new.purpose, "authorization_details": new.authorization_details,
        "source": new.source.client_id, "organization_id": new.organization,
    });
    let meaning = Meaning::done(Action::DelegationCreated, new.id).with(facts).telling(DelegationCreated {
        delegation_id: new.id,
        tenant_user_id: new.person,
        client_id: new.actor,
        aud: new.audience.clone(),
        scope: new.scope.to_string(),
    });
    change_later(tx, cx, insert, arguments, meaning);
    Ok(())
}

/// Selects the live link whose tokens carry `family`, and holds it until the transaction ends: who ends the link waits for that, and then
/// sees what was made with it. `COALESCE` keeps PostgreSQL, while it has no statistics, from reading all live ones of the tenant by the
/// index of lists.
pub fn hold(tx: &Tx<Tenant>, family: FamilyId, now: Timestamp) -> Call {
    let update = quiet_sql!(
        "holds a row",
        "UPDATE delegations SET state = 'live' WHERE tenant_id = $1 AND family_id = $2 AND COALESCE(state, '') = 'live' \
         AND expires_at > $3 RETURNING id, parent_id, family_id, tenant_user_id, actor_app_id, source_client_id, source_family_id, source_jti, \
         session_id, audience, scope, authorization_details, actor, purpose, state, created_at, expires_at, revoked_at, organization_id, vouched_by"
    );
    tx.call(update, args![family, now])
}

/// The link that [`hold`] yielded.
pub fn held(rows: &[Row]) -> Result<Option<Delegation>> {
    rows.first().map(delegation).transpose()
}

/// Ends a link as an administrator asks, with everything that was made with it.
pub async fn revoke(tx: &mut Tx<Tenant>, cx: &Cx, id: DelegationId) -> Result<()> {
    let Some((person, ended)) = ending::itself(tx, cx, id).await? else {
        // Revoking twice has the same effect as revoking once.
        return find(tx, id).await?.map(|_| ()).ok_or_else(|| Error::unknown_id());
    };
    let meaning = Meaning::done(Action::DelegationRevoked, id).with(json!({ "ended": ended.len() }));
    let told = |meaning: Meaning, delegation_id| {
        meaning.telling(DelegationRevoked { delegation_id, tenant_user_id: person })
    };
    record(tx, cx, ended.into_iter().fold(meaning, told));
    Ok(())
}

/// One link.
pub async fn find(tx: &mut Tx<Tenant>, id: DelegationId) -> Result<Option<Delegation>> {
    let select = sql!(
        "SELECT id, parent_id, family_id, tenant_user_id, actor_app_id, source_client_id, source_family_id, source_jti, \
         session_id, audience, scope, authorization_details, actor, purpose, state, created_at, expires_at, revoked_at, organization_id, vouched_by \
         FROM delegations WHERE tenant_id = $1 AND id = $2"
    );
    tx.optional(select, args![id]).await?.as_ref().map(delegation).transpose()
}

/// Which delegations a list asks for.
#[derive(Default)]
pub struct Filter {
    /// Of one person.
    pub person: Option<TenantUserId>,
    /// By one application.
    pub actor: Option<AppId>,
    /// In one state.
    pub state: Option<State>,
}

/// Reads a page of links; the argument says of which.
macro_rules! page_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, parent_id, family_id, tenant_user_id, actor_app_id, source_client_id, source_family_id, source_jti, \
             session_id, audience, scope, authorization_details, actor, purpose, state, created_at, expires_at, revoked_at, \
             organization_id, vouched_by FROM delegations WHERE tenant_id = $1 AND id < $2",
            $which,
            " ORDER BY id DESC LIMIT $3"
        )
    };
}

/// A page of delegations, newest first: those before `cursor`. An index leads to those of the person, of the actor or in the state;
/// of these, whatever else is asked for is looked at.
pub async fn list(
    tx: &mut Tx<Tenant>,
    filter: &Filter,
    cursor: Option<DelegationId>,
    limit: u32,
) -> Result<Vec<Delegation>> {
    let actor = filter.actor.map(|id| id.to_string()).unwrap_or_default();
    let state = filter.state.map_or("", State::name);
    let mut arguments = args![before(cursor), limit].to_vec();
    let select = match filter {
        Filter { person: Some(person), .. } => {
            arguments.extend_from_slice(args![*person, actor, state]);
            page_sql!(
                " AND tenant_user_id = $4 AND ($5 = '' OR actor_app_id = $5) AND ($6 = '' OR state = $6)"
            )
        }
        Filter { actor: Some(_), .. } => {
            arguments.extend_from_slice(args![actor, state]);
            page_sql!(" AND actor_app_id = $4 AND ($5 = '' OR state = $5)")
        }
        Filter { state: Some(State::Live), .. } => page_sql!(" AND state = 'live'"),
        Filter { state: Some(State::Revoked), .. } => page_sql!(" AND state = 'revoked'"),
        Filter { state: None, .. } => page_sql!(""),
    };
    tx.all(select, &arguments).await?.iter().map(delegation).collect()
}

fn delegation(row: &Row) -> Result<Delegation> {
    Ok(Delegation {
        id: row.parse("id")?,
        parent: row.maybe_parse("parent_id")?,
        family: row.parse("family_id")?,
        person: row.parse("tenant_user_id")?,
        actor: row.parse("actor_app_id")?,
        source: Source {
            client_id: row.text("source_client_id")?,
            family: row.maybe_parse("source_family_id")?,
            jti: row.text("source_jti")?,
        },
        session: row.maybe_parse("session_id")?,
        organization: row.maybe_parse("organization_id")?,
        vouched_by: row.maybe_parse("vouched_by")?,
        audience: row.text("audience")?,
        scope: row.parse("scope")?,
        authorization_details: document::load(row, "authorization_details")?,
        act: document::load(row, "actor")?,
        purpose: row.text("purpose")?,
        state: State::stored(&row.text("state")?)?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        revoked_at: row.maybe_time("revoked_at")?,
    })
}

impl State {
    /// The stored name, which is also the name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Revoked => "revoked",
        }
    }

    /// The state of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Live, Self::Revoked].into_iter().find(|state| state.name() == name)
    }

    fn stored(name: &str) -> Result<Self> {
        Self::named(name).ok_or_else(|| Error::internal(format!("a delegation of unknown state {name}")))
    }
}
