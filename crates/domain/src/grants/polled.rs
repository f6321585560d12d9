//! What device codes (RFC 8628) and backchannel requests (OpenID CIBA) share: decided elsewhere, fetched by polling.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::{
    AppId, Cx, Digest, Error, FamilyId, OrganizationId, Result, Scope, Seconds, SessionId, Timestamp,
};
use svc_db::{Row, Tenant, TenantSql, Tx, args, quiet_sql, sql};

use crate::claims::claims_request::ClaimsRequest;
use crate::document;
use crate::grants::grant::AuthorizationGrant;
use crate::log::{Action, Meaning};
use crate::people::tenant_users::{self, Credential, Person};

/// What is polled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Polled {
    /// A device code.
    DeviceCode,
    /// A backchannel authentication request.
    CibaRequest,
}

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
    /// The organization in which the tokens are to count: its id or its slug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<String>,
}

/// A request that waits for its decision.
#[derive(Clone, Debug)]
pub struct Pending<I, S> {
    /// The request.
    pub id: I,
    /// Who asks.
    pub app: AppId,
    /// For what.
    pub wanted: Wanted,
    /// What the person compares: the device's code, or the binding message.
    pub shown: S,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// Which of a person's requests a list asks for, newest first.
#[derive(Clone, Copy, Debug)]
pub struct Page<I> {
    /// Before which request.
    pub cursor: Option<I>,
    /// Most requests of the page.
    pub limit: u32,
}

/// How often and how long an application may ask for the outcome.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// For how long.
    pub lifetime: Seconds,
    /// The shortest pause between two polls.
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
/// The longest pause: from then on polls that come too early are refused, and change nothing.
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

    /// The organization for which it was approved: the approval ends with the person's membership there.
    pub(crate) fn organization(self) -> Option<OrganizationId> {
        match self {
            Self::Approve(grant) => grant.organization,
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
        Error::unknown_id()
    }
}

/// What happens to a request besides its decision, which is the same in both tables.
struct Statements {
    standing: TenantSql,
    slow_down: TenantSql,
    redeem: TenantSql,
    withdraw: TenantSql,
    person: Credential,
}

macro_rules! statements {
    ($table:literal, $person:expr) => {
        Statements {
            standing: sql!(
                "SELECT id, app_id, state, interval_secs, expires_at FROM ",
                $table,
                " WHERE tenant_id = $1 AND digest = $2"
            ),
            slow_down: quiet_sql!(
                "counts polls",
                "UPDATE ",
                $table,
                " SET interval_secs = interval_secs + $3 WHERE tenant_id = $1 AND id = $2 AND state = 'pending' \
                 AND interval_secs + $3 <= $4"
            ),
            redeem: quiet_sql!(
                "is used once; the token that it buys is recorded",
                "UPDATE ",
                $table,
                " SET state = 'spent' WHERE tenant_id = $1 AND digest = $2 AND app_id = $3 AND state = 'approved' \
                 AND expires_at > $4 RETURNING family_id, authorization_grant"
            ),
            withdraw: quiet_sql!(
                "the refusal of its token is recorded",
                "UPDATE ",
                $table,
                " SET state = 'denied' WHERE tenant_id = $1 AND digest = $2 AND state = 'spent'"
            ),
            person: $person,
        }
    };
}

const DEVICE_CODES: Statements = statements!("device_codes", Credential::DeviceCode);
const CIBA_REQUESTS: Statements = statements!("ciba_requests", Credential::CibaRequest);

impl Polled {
    fn statements(self) -> &'static Statements {
        match self {
            Self::DeviceCode => &DEVICE_CODES,
            Self::CibaRequest => &CIBA_REQUESTS,
        }
    }

    /// Where a request stands.
    pub async fn standing(
        self,
        tx: &mut Tx<Tenant>,
        digest: Digest,
        now: Timestamp,
    ) -> Result<Option<Standing>> {
        let row = tx.optional(self.statements().standing, args![digest]).await?;
        row.map(|row| standing(&row, now)).transpose()
    }

    /// Lengthens the pause between polls, up to a minute.
    pub fn slow_down(self, tx: &mut Tx<Tenant>, id: &str) {
        tx.later(self.statements().slow_down, args![id, SLOW_DOWN.0, LONGEST_INTERVAL.0]);
    }

    /// Spends an approved request: one statement, so that of N at once one wins. The person comes with it, as they are now.
    pub async fn redeem(
        self,
        tx: &mut Tx<Tenant>,
        cx: &Cx,
        digest: Digest,
        app: AppId,
    ) -> Result<Option<Redeemed>> {
        let Statements { redeem, person, .. } = self.statements();
        let update = tx.call(*redeem, args![digest, app, cx.now]);
        let person = tenant_users::behind(tx, *person, digest);
        let [redeemed, person] = tx.batch([update, person]).await?;
        let Some(row) = redeemed.first() else { return Ok(None) };
        Ok(Some(Redeemed {
            person: tenant_users::one(&person)?,
            family: row.parse("family_id")?,
            grant: document::load(row, "authorization_grant")?,
        }))
    }

    /// Turns a request that was just spent into one that was denied, because its person may no longer be given anything.
    pub async fn withdraw(self, tx: &mut Tx<Tenant>, digest: Digest) -> Result<()> {
        tx.execute(self.statements().withdraw, args![digest]).await.map(|_| ())
    }
}

fn standing(row: &Row, now: Timestamp) -> Result<Standing> {
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

/// A request as its row has it, with what the person compares.
pub(crate) fn pending<I, S>(row: &Row, shown: S) -> Result<Pending<I, S>>
where
    I: FromStr,
    I::Err: Display,
{
    Ok(Pending {
        id: row.parse("id")?,
        app: row.parse("app_id")?,
        wanted: document::load(row, "request")?,
        shown,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
    })
}
