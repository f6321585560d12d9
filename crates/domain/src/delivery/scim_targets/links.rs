//! What people and groups of the tenant are at a target, and how a target is doing.

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result, ScimTargetId, Timestamp};
use svc_db::{Row, Tenant, Tx, args, sql};
use utoipa::ToSchema;

use super::pushed::Fingerprint;
use super::store::ScimTarget;
use crate::document;

/// The kind of record that a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ScimLinkKind)]
pub enum LinkKind {
    /// A person.
    User,
    /// A group.
    Group,
}

/// The state of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ScimLinkState)]
pub enum LinkState {
    /// It is to be looked at.
    Waiting,
    /// The application has what was last pushed.
    Linked,
    /// The account there is deactivated.
    Deactivated,
    /// The application refused it, or it cannot be pushed as it is; it is tried again when it changes.
    Failed,
}

/// A link.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ScimLink)]
pub struct Link {
    /// Whether it links a person or a group.
    pub kind: LinkKind,
    /// The `tenant_user_id` or the `group_id`.
    pub id: String,
    /// The `id` at the application; null where it has none, or it is not known yet.
    pub remote_id: Option<String>,
    /// Its state.
    pub state: LinkState,
    /// Why the last look at it has failed; null where it has not.
    pub last_error: Option<String>,
    /// When something was last pushed.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub pushed_at: Option<Timestamp>,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// How a look at it ended last.
    #[serde(skip)]
    pub(super) stored_state: String,
    #[serde(skip)]
    pub(super) pushed: Option<Fingerprint>,
    #[serde(skip)]
    pub(super) may_exist: bool,
    #[serde(skip)]
    pub(super) wanted: i64,
}

/// How a target is doing.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ScimTargetStatus)]
pub struct Status {
    /// Whether anything is pushed.
    pub active: bool,
    /// Why the service deactivated it.
    pub deactivated_because: Option<String>,
    /// When it last accepted a change.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub succeeded_at: Option<Timestamp>,
    /// When a request to it last failed, for a reason that is not one person's.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub failed_at: Option<Timestamp>,
    /// Why.
    pub last_error: Option<String>,
    /// Until when the service sends it nothing; null where it does not wait.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub held_until: Option<Timestamp>,
    /// Whether people who have no link yet are being searched for.
    pub searching: bool,
    /// The number of people in each state.
    pub people: Counts,
    /// The number of groups in each state.
    pub groups: Counts,
}

/// The number of links in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ScimLinkCounts)]
pub struct Counts {
    /// To be looked at.
    pub waiting: i64,
    /// The application has what was last pushed.
    pub linked: i64,
    /// Deactivated there.
    pub deactivated: i64,
    /// Refused.
    pub failed: i64,
}

impl LinkKind {
    const ALL: [Self; 2] = [Self::User, Self::Group];

    /// As it is stored, and in an address.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Group => "group",
        }
    }

    /// Where the application has them (RFC 7644 §3.2).
    pub fn endpoint(self) -> &'static str {
        match self {
            Self::User => "Users",
            Self::Group => "Groups",
        }
    }

    fn stored(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| Error::internal(format!("a link of unknown kind {name}")))
    }
}

impl LinkState {
    /// As a list is asked for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Linked => "linked",
            Self::Deactivated => "deactivated",
            Self::Failed => "failed",
        }
    }

    /// A link with a reason to be looked at waits, whatever it was before.
    fn of(stored: &str, is_seen: bool) -> Self {
        match stored {
            _ if !is_seen => Self::Waiting,
            "linked" => Self::Linked,
            "deactivated" => Self::Deactivated,
            "failed" => Self::Failed,
            _ => Self::Waiting,
        }
    }
}

/// Reads links; the argument says which.
macro_rules! links_sql {
    ($which:literal) => {
        sql!(
            "SELECT kind, local_id, remote_id, state, pushed, may_exist, wanted, seen, pushed_at, last_error, created_at \
             FROM scim_links WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// One link.
pub(super) async fn find(
    tx: &mut Tx<Tenant>,
    target: ScimTargetId,
    (kind, local_id): (LinkKind, &str),
) -> Result<Option<Link>> {
    let select = links_sql!("target_id = $2 AND kind = $3 AND local_id = $4");
    tx.optional(select, args![target, kind.name(), local_id]).await?.as_ref().map(link).transpose()
}

/// A page of links by the id of what they are of, after `cursor`; of one state if one is given.
pub async fn links(
    tx: &mut Tx<Tenant>,
    target: ScimTargetId,
    state: Option<LinkState>,
    (cursor, limit): (Option<String>, u32),
) -> Result<Vec<Link>> {
    let select = links_sql!(
        "target_id = $2 AND state <> 'gone' AND local_id > $3 AND ($4 = '' \
         OR $4 = CASE WHEN wanted > seen THEN 'waiting' ELSE state END) ORDER BY local_id LIMIT $5"
    );
    let state = state.map(LinkState::name).unwrap_or_default();
    let rows = tx.all(select, args![target, cursor.unwrap_or_default(), state, limit]).await?;
    rows.iter().map(link).collect()
}

/// How a target is doing.
pub async fn status(tx: &mut Tx<Tenant>, now: Timestamp, target: &ScimTarget) -> Result<Status> {
    let count = sql!(
        "SELECT kind, CASE WHEN wanted > seen THEN 'waiting' ELSE state END AS state_now, COUNT(*) AS count \
         FROM scim_links WHERE tenant_id = $1 AND target_id = $2 AND state <> 'gone' \
         GROUP BY kind, CASE WHEN wanted > seen THEN 'waiting' ELSE state END"
    );
    let (mut people, mut groups) = (Counts::default(), Counts::default());
    for row in tx.all(count, args![target.id]).await? {
        let counts = match LinkKind::stored(&row.text("kind")?)? {
            LinkKind::User => &mut people,
            LinkKind::Group => &mut groups,
        };
        counts.add(LinkState::of(&row.text("state_now")?, true), row.int("count")?);
    }
    Ok(Status {
        active: target.active,
        deactivated_because: target.deactivated_because.clone(),
        succeeded_at: target.succeeded_at,
        failed_at: target.failed_at,
        last_error: target.last_error.clone(),
        held_until: Some(target.held_until).filter(|until| *until > now),
        searching: target.is_searching,
        people,
        groups,
    })
}

impl Counts {
    fn add(&mut self, state: LinkState, count: i64) {
        let place = match state {
            LinkState::Waiting => &mut self.waiting,
            LinkState::Linked => &mut self.linked,
            LinkState::Deactivated => &mut self.deactivated,
            LinkState::Failed => &mut self.failed,
        };
        *place += count;
    }
}

fn link(row: &Row) -> Result<Link> {
    let (wanted, stored_state) = (row.int("wanted")?, row.text("state")?);
    Ok(Link {
        kind: LinkKind::stored(&row.text("kind")?)?,
        id: row.text("local_id")?,
        remote_id: row.maybe_text("remote_id")?,
        state: LinkState::of(&stored_state, wanted <= row.int("seen")?),
        last_error: row.maybe_text("last_error")?,
        pushed_at: row.maybe_time("pushed_at")?,
        created_at: row.time("created_at")?,
        stored_state,
        pushed: document::load_if_any(row, "pushed")?,
        may_exist: row.flag("may_exist")?,
        wanted,
    })
}
