//! What device codes (RFC 8628) and backchannel requests (OpenID CIBA) share: decided elsewhere, fetched by polling.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::{AppId, Error, FamilyId, Result, Scope, Seconds, SessionId, Timestamp};
use svc_db::Row;

use crate::claims::claims_request::ClaimsRequest;
use crate::document;
use crate::grants::grant::AuthorizationGrant;
use crate::log::{Action, Meaning};
use crate::people::tenant_users::{self, Person};

/// What an application asks for, checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// The scopes.
    pub scope: Scope,
    /// The one API that the tokens are for.
    pub audience: String,
    /// What is asked for in detail (RFC 9396).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authorization_details: Vec<Value>,
    /// The claims that are asked for by name (OpenID Connect Core §5.5).
    #[serde(default, skip_serializing_if = "ClaimsRequest::is_empty")]
    pub claims: ClaimsRequest,
}

/// How often and how long an application may ask for the outcome.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Until then.
    pub lifetime: Seconds,
    /// With pauses of this length.
    pub interval: Seconds,
}

/// Where a request stands, as its application sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub app: AppId,
    /// Where it stands.
    pub state: State,
    /// The pause that the application has to keep between two polls.
    pub interval: Seconds,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// Where a request stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The person has not decided.
    Pending,
    /// The person agreed, and the tokens have not been fetched.
    Approved,
    /// The person refused.
    Denied,
    /// The tokens have been fetched.
    Spent,
    /// It was not decided, or not fetched, in time.
    Expired,
}

/// What a person decides.
#[derive(Clone, Copy, Debug)]
pub enum Decision<'a> {
    /// The application gets this.
    Approve(&'a AuthorizationGrant),
    /// It gets nothing.
    Deny,
}

/// An approved request whose tokens are being fetched.
#[derive(Clone, Debug)]
pub struct Redeemed {
    /// Who agreed, as they are now.
    pub person: Option<Person>,
    /// The family that every token of this authorization belongs to.
    pub family: FamilyId,
    /// What was agreed.
    pub grant: AuthorizationGrant,
}

/// How much longer the pause becomes with each poll that came too early (RFC 8628 §3.5).
pub const SLOW_DOWN: Seconds = Seconds(5);
/// The longest pause: from then on hasty polls are told so, and change nothing.
pub const LONGEST_INTERVAL: Seconds = Seconds(60);

impl Decision<'_> {
    /// The state that follows.
    pub(crate) fn state(self) -> &'static str {
        match self {
            Self::Approve(_) => "approved",
            Self::Deny => "denied",
        }
    }

    /// The session in which it was approved: the approval ends with it.
    pub(crate) fn session(self) -> Option<SessionId> {
        match self {
            Self::Approve(grant) => Some(grant.authentication.session),
            Self::Deny => None,
        }
    }

    /// What it means that a request was decided so.
    pub(crate) fn meaning(self, action: Action, request: impl ToString) -> Meaning {
        match self {
            Self::Approve(grant) => Meaning::done(action, request).with(json!({ "scope": grant.scope })),
            Self::Deny => Meaning::denied(action, request),
        }
    }

    /// What is kept of it.
    pub(crate) fn grant(self) -> Result<Option<String>> {
        match self {
            Self::Approve(grant) => document::store(grant).map(Some),
            Self::Deny => Ok(None),
        }
    }
}

/// The answer to a decision that changed nothing: another person's is unknown, one's own was decided or has expired.
pub(crate) fn undecided(is_own: bool) -> Error {
    if is_own {
        Error::conflict("this request has been decided already, or has expired")
    } else {
        Error::not_found("no record has this id")
    }
}

pub(crate) fn standing(row: &Row, now: Timestamp) -> Result<Standing> {
    let (stored, expires_at) = (row.text("state")?, row.time("expires_at")?);
    let state = match stored.as_str() {
        "spent" => State::Spent,
        _ if expires_at <= now => State::Expired,
        "pending" => State::Pending,
        "approved" => State::Approved,
        "denied" => State::Denied,
        _ => return Err(Error::internal(format!("a polled request of unknown state {stored}"))),
    };
    let (id, app, interval) = (row.text("id")?, row.parse("app_id")?, Seconds(row.int("interval_secs")?));
    Ok(Standing { id, app, state, interval, expires_at })
}

pub(crate) fn redeemed(request: &[Row], person: &[Row]) -> Result<Option<Redeemed>> {
    let Some(row) = request.first() else { return Ok(None) };
    Ok(Some(Redeemed {
        person: tenant_users::one(person)?,
        family: row.parse("family_id")?,
        grant: document::load(row, "authorization_grant")?,
    }))
}
