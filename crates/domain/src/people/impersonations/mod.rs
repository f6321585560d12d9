//! Support staff who act for a person (RFC 8693 §1.1): asked for with a reason, approved by the person where the tenant wants that,
//! begun in the browser of the staff member by a link, and over by time at the latest.
//!
//! The staff member gets a further session, which names them. Their own session goes on meanwhile, and when it ends, the further one
//! ends too.

mod asking;
mod beginning;
mod ending;
mod list;
mod session;

use serde::{Deserialize, Serialize};
use svc_core::{AppId, ImpersonationId, Result, Seconds, SessionId, TenantUserId, Timestamp};
use svc_db::Row;
use utoipa::ToSchema;

pub use self::asking::{MOST_REASON, NewImpersonation, ask, check_reason, decide};
pub use self::beginning::{Browser, begin, behind_link, link};
pub use self::ending::end;
pub(crate) use self::ending::end_with;
pub use self::list::{Filter, Page, find, list, of_person, waiting_for};
pub use self::session::session;
use crate::tenancy::tenants::{self, LONGEST_MINUTES};

/// For how long the person may approve.
pub const WAITS: Seconds = Seconds(24 * 3600);
/// For how long the staff member may begin, once it is approved or needs no approval.
pub const READY: Seconds = Seconds(3600);
/// For how long a link works.
pub const LINK: Seconds = Seconds(300);
/// The longest from when it is asked for until it is over.
const LONGEST: Seconds = Seconds(WAITS.0 + READY.0 + LONGEST_MINUTES as i64 * 60);

/// The state of an impersonation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ImpersonationState)]
pub enum State {
    /// The person must approve.
    Waiting,
    /// The staff member may begin.
    Ready,
    /// The staff member acts.
    Active,
    /// The person refused.
    Refused,
    /// It was not approved, or not begun, in time.
    Expired,
    /// It is over.
    Ended,
}

/// A staff member who acts, or wants to, for a person.
#[derive(Clone, Debug)]
pub struct Impersonation {
    /// Its id.
    pub id: ImpersonationId,
    /// The person.
    pub person: TenantUserId,
    /// The staff member.
    pub staff: TenantUserId,
    /// The one application that it is for, if it is for one.
    pub app: Option<AppId>,
    /// Why, in the words of the staff member.
    pub reason: String,
    /// For how long, in minutes.
    pub minutes: u32,
    /// Where it stands now.
    pub state: State,
    /// The session in which the staff member acts.
    pub session: Option<SessionId>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When the person approved or refused.
    pub decided_at: Option<Timestamp>,
    /// When it began.
    pub started_at: Option<Timestamp>,
    /// When it was ended before its time.
    pub ended_at: Option<Timestamp>,
    /// Until when it can be approved, or begun; once it has begun, when it ends.
    pub expires_at: Timestamp,
}

impl Impersonation {
    /// Whether one that is ready may begin by the present rules of the tenant, which may be stricter than when it was asked for.
    pub fn has_approval(&self, rules: &tenants::Impersonation) -> bool {
        !rules.approval_required || self.decided_at.is_some()
    }
}

impl State {
    fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Ready => "ready",
            Self::Active => "active",
            Self::Refused => "refused",
            Self::Expired => "expired",
            Self::Ended => "ended",
        }
    }

    /// What a stored state is by now.
    fn at(stored: &str, is_over: bool) -> Self {
        match (stored, is_over) {
            ("waiting", false) => Self::Waiting,
            ("ready", false) => Self::Ready,
            ("waiting" | "ready", true) => Self::Expired,
            ("active", false) => Self::Active,
            ("refused", _) => Self::Refused,
            _ => Self::Ended,
        }
    }
}

fn read(row: &Row, now: Timestamp) -> Result<Impersonation> {
    let expires_at = row.time("expires_at")?;
    Ok(Impersonation {
        id: row.parse("id")?,
        person: row.parse("tenant_user_id")?,
        staff: row.parse("staff_id")?,
        app: row.maybe_parse("app_id")?,
        reason: row.text("reason")?,
        minutes: u32::try_from(row.int("minutes")?).unwrap_or_default(),
        state: State::at(&row.text("state")?, expires_at <= now),
        session: row.maybe_parse("session_id")?,
        created_at: row.time("created_at")?,
        decided_at: row.maybe_time("decided_at")?,
        started_at: row.maybe_time("started_at")?,
        ended_at: row.maybe_time("ended_at")?,
        expires_at,
    })
}
