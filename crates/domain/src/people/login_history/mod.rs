//! Sign-ins of people, and attempts that failed, for themselves and for administrators to read: where, how, and how unusual.
//!
//! The audit log tells the administrators of the tenant what happened. This is less and kept shorter: a network instead of an
//! address, names of browser and system instead of what the browser calls itself.

mod place;

use serde::{Deserialize, Serialize};
use svc_core::{Cx, LoginId, Result, SessionId, TenantUserId, Timestamp};
use svc_db::{Row, Tenant, Tx, args, before, quiet_sql, sql};
use utoipa::ToSchema;

pub use self::place::{network, words};
use crate::document;
use crate::people::risk::{self, Rating, Reason};

/// Most sign-ins with which one is compared.
const COMPARED: u32 = 50;

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = LoginOutcome)]
pub enum Outcome {
    /// A session began.
    Success,
    /// What was to prove who the person is was wrong.
    Failure,
    /// It was right, and the sign-in too unusual.
    Refused,
    /// Support staff began to act for the person.
    Impersonated,
    /// A session began, and the owner of the account has said that it was not theirs.
    Disowned,
}

impl Outcome {
    fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Refused => "refused",
            Self::Impersonated => "impersonated",
            Self::Disowned => "disowned",
        }
    }
}

/// An attempt to write down.
#[derive(Clone, Copy)]
pub struct NewLogin<'a> {
    /// Whose it is; where the account is no member's, nothing is written, at the same cost.
    pub member: Option<TenantUserId>,
    /// Its outcome.
    pub outcome: Outcome,
    /// The methods (RFC 8176).
    pub amr: &'a [&'a str],
    /// The session that began.
    pub session: Option<SessionId>,
    /// The browser, as it calls itself.
    pub user_agent: &'a str,
    /// Whether the person has signed in in it before.
    pub is_known_device: bool,
    /// How unusual it is, where that was rated.
    pub rating: Option<&'a Rating>,
}

/// Writes an attempt down with the commit.
pub fn note(tx: &mut Tx<Tenant>, cx: &Cx, new: NewLogin<'_>) -> Result<()> {
    let insert = quiet_sql!(
        "is recorded with its outcome",
        "INSERT INTO login_history (tenant_id, id, tenant_user_id, at, outcome, amr, session_id, network, browser, os, \
         is_known_device, score, reasons) SELECT $1, $2, u.id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 \
         FROM tenant_users u WHERE u.tenant_id = $1 AND u.id = $3"
    );
    let (browser, os) = words(new.user_agent);
    let score = new.rating.map(|rating| i64::from(rating.score));
    let reasons: &[Reason] = new.rating.map_or(&[], |rating| &rating.reasons);
    let arguments = args![
        cx.id::<svc_core::LoginKind>(),
        new.member,
        cx.now,
        new.outcome.name(),
        document::store(&new.amr)?,
        new.session,
        network_of(cx),
        browser,
        os,
        new.is_known_device,
        score,
        document::store(&reasons)?
    ];
    tx.later(insert, arguments);
    Ok(())
}

/// The network of a call; empty where its address is not known.
pub fn network_of(cx: &Cx) -> String {
    cx.client_ip.map(network).unwrap_or_default()
}

/// What a sign-in is compared with.
#[derive(Clone, Debug, Default)]
pub struct Habits {
    /// When, and from which networks, the person signed in before, the latest first.
    pub before: Vec<(Timestamp, String)>,
    /// How many attempts have failed lately, counted up to [`risk::MANY`].
    pub failures: usize,
}

/// Reads in one round trip what a sign-in is compared with.
pub async fn habits(tx: &mut Tx<Tenant>, person: TenantUserId, now: Timestamp) -> Result<Habits> {
    let before = sql!(
        "SELECT at, network FROM login_history WHERE tenant_id = $1 AND tenant_user_id = $2 AND outcome = 'success' \
         ORDER BY id DESC LIMIT $3"
    );
    let failures = sql!(
        "SELECT id FROM login_history WHERE tenant_id = $1 AND tenant_user_id = $2 AND outcome IN ('failure', 'refused') \
         AND at > $3 LIMIT $4"
    );
    let many = i64::try_from(risk::MANY).unwrap_or(i64::MAX);
    let since = now - risk::FAILURES_WINDOW;
    let calls = [tx.call(before, args![person, COMPARED]), tx.call(failures, args![person, since, many])];
    let [before, failures] = tx.batch(calls).await?;
    let place = |row: &Row| Ok((row.time("at")?, row.text("network")?));
    Ok(Habits { before: before.iter().map(place).collect::<Result<_>>()?, failures: failures.len() })
}

/// An attempt as it is listed.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Login)]
pub struct Login {
    /// Its id.
    #[schema(value_type = String)]
    pub id: LoginId,
    /// When it was.
    #[schema(value_type = String, format = "date-time")]
    pub at: Timestamp,
    /// `success`, `failure` where the credential was wrong, `refused` where the sign-in was too unusual, `impersonated` where support staff
    /// began to act for the person, or `disowned` where the owner has said that the sign-in was not theirs.
    pub outcome: String,
    /// The methods that were used (RFC 8176).
    pub amr: Vec<String>,
    /// The session that began; the `sid` of ID tokens.
    #[schema(value_type = Option<String>)]
    pub session_id: Option<SessionId>,
    /// The network that it came from, such as `203.0.113.0/24`; empty where that is not known.
    pub network: String,
    /// The browser, in a word; empty where it is none of the usual ones.
    pub browser: String,
    /// The operating system, in a word; empty where it is none of the usual ones.
    pub os: String,
    /// Whether the person had signed in with this browser before.
    pub is_known_device: bool,
    /// How unusual it is, from 0 to 100; null where sign-ins were not rated.
    pub score: Option<i64>,
    /// The signals that make up the score.
    pub reasons: Vec<Said>,
}

/// A reason with the sentence that it stands for.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = LoginReasonSaid)]
pub struct Said {
    /// The reason.
    #[serde(flatten)]
    pub reason: Reason,
    /// The signal as a sentence.
    pub about: Option<&'static str>,
}

/// Reads a page of a person's attempts; the argument says of which.
macro_rules! page_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, at, outcome, amr, session_id, network, browser, os, is_known_device, score, reasons \
             FROM login_history WHERE tenant_id = $1 AND tenant_user_id = $2 AND id < $3",
            $which,
            " ORDER BY id DESC LIMIT $4"
        )
    };
}

/// A page of a person's attempts, newest first, before the one of the cursor; with an outcome, of those that had it.
pub async fn list(
    tx: &mut Tx<Tenant>,
    person: TenantUserId,
    outcome: Option<Outcome>,
    (cursor, limit): (Option<LoginId>, u32),
) -> Result<Vec<Login>> {
    let rows = match outcome {
        None => tx.all(page_sql!(""), args![person, before(cursor), limit]).await?,
        Some(outcome) => {
            let select = page_sql!(" AND outcome = $5");
            tx.all(select, args![person, before(cursor), limit, outcome.name()]).await?
        }
    };
    rows.iter().map(login).collect()
}

/// Takes the sign-ins from a network since then for those of another person, as the owner says of one of them: they show no habit, by
/// which the next would be less unusual.
pub async fn disown(
    tx: &mut Tx<Tenant>,
    person: TenantUserId,
    (network, since): (&str, Timestamp),
) -> Result<()> {
    let update = quiet_sql!(
        "follows from what the owner says, which is recorded",
        "UPDATE login_history SET outcome = $5 WHERE tenant_id = $1 AND tenant_user_id = $2 AND network = $3 AND at >= $4 \
         AND outcome = 'success'"
    );
    tx.execute(update, args![person, network, since, Outcome::Disowned.name()]).await.map(drop)
}

/// Removes the history of a person whose membership has ended.
pub(crate) async fn forget(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<()> {
    let delete = quiet_sql!(
        "goes with the membership, whose end is recorded",
        "DELETE FROM login_history WHERE tenant_id = $1 AND tenant_user_id = $2"
    );
    tx.execute(delete, args![person]).await.map(drop)
}

fn login(row: &Row) -> Result<Login> {
    let reasons: Vec<Reason> = document::load(row, "reasons")?;
    let said = |reason: Reason| Said { about: risk::about(&reason.signal), reason };
    Ok(Login {
        id: row.parse("id")?,
        at: row.time("at")?,
        outcome: row.text("outcome")?,
        amr: document::load(row, "amr")?,
        session_id: row.maybe_parse("session_id")?,
        network: row.text("network")?,
        browser: row.text("browser")?,
        os: row.text("os")?,
        is_known_device: row.flag("is_known_device")?,
        score: row.maybe_int("score")?,
        reasons: reasons.into_iter().map(said).collect(),
    })
}
