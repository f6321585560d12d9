//! Removes expired rows, a bounded number per table and run, by the time that [`svc_core::Settled`] trusts. Tables that PostgreSQL
//! partitions by month lose whole months.

use svc_core::{Cx, Result, Seconds, Timestamp};
use svc_db::{Db, Engine, SystemSql, args, quiet_system_sql};

/// Most rows of one table that one run removes, so that no transaction holds its locks for long.
pub const BATCH: u32 = 500;

/// A table, how long its rows are kept after they ended, and the statement that removes them. The statement compares columns that may
/// have changed meanwhile (a time, a state) with the values that its subquery has read. A plain condition next to the subquery could
/// have PostgreSQL, where it has few statistics, run the subquery once for each expired row.
struct Rule {
    table: &'static str,
    kept: Seconds,
    delete: SystemSql,
}

const DAY: Seconds = Seconds(86_400);
const MONTH: Seconds = Seconds(30 * 86_400);
const QUARTER: Seconds = Seconds(90 * 86_400);
const YEAR: Seconds = Seconds(365 * 86_400);
const NOT_AT_ALL: Seconds = Seconds(0);

/// In an order that respects references: tokens before their families.
const RULES: &[Rule] = &[
    Rule {
        // A spent code that comes back within the day still ends what was issued for it.
        table: "codes",
        kept: DAY,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM codes WHERE (tenant_id, digest, expires_at) IN \
             (SELECT tenant_id, digest, expires_at FROM codes WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        // For a day a late poll learns that its request has expired, and not that there was none.
        table: "device_codes",
        kept: DAY,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM device_codes WHERE (tenant_id, id, expires_at) IN \
             (SELECT tenant_id, id, expires_at FROM device_codes WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "ciba_requests",
        kept: DAY,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM ciba_requests WHERE (tenant_id, id, expires_at) IN \
             (SELECT tenant_id, id, expires_at FROM ciba_requests WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        // A person who came with it in time may take as long as a sign-in takes.
        table: "par_requests",
        kept: DAY,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM par_requests WHERE (tenant_id, digest, expires_at) IN \
             (SELECT tenant_id, digest, expires_at FROM par_requests WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "refresh_tokens",
        kept: NOT_AT_ALL,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM refresh_tokens WHERE (tenant_id, digest, expires_at) IN \
             (SELECT tenant_id, digest, expires_at FROM refresh_tokens WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "refresh_families",
        kept: NOT_AT_ALL,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM refresh_families WHERE (tenant_id, id, expires_at) IN \
             (SELECT tenant_id, id, expires_at FROM refresh_families WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "registration_tokens",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM registration_tokens WHERE (tenant_id, id, expires_at) IN \
             (SELECT tenant_id, id, expires_at FROM registration_tokens WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "api_keys",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM api_keys WHERE (tenant_id, id, expires_at) IN \
             (SELECT tenant_id, id, expires_at FROM api_keys WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "scim_tokens",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM scim_tokens WHERE (tenant_id, id, expires_at) IN \
             (SELECT tenant_id, id, expires_at FROM scim_tokens WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "monthly_uses",
        kept: YEAR,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM monthly_uses WHERE (tenant_id, name, month, updated_at) IN \
             (SELECT tenant_id, name, month, updated_at FROM monthly_uses WHERE updated_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        // Its chunks go with it. What it brought stays.
        table: "imports",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM imports WHERE (tenant_id, id, updated_at) IN \
             (SELECT tenant_id, id, updated_at FROM imports WHERE updated_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "organization_invitations",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM organization_invitations WHERE (tenant_id, id, expires_at) IN \
             (SELECT tenant_id, id, expires_at FROM organization_invitations WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        // Invitations that were not accepted.
        table: "guardians",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM guardians WHERE (tenant_id, id, expires_at) IN \
             (SELECT tenant_id, id, expires_at FROM guardians WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        // With the browsers that asked, and what guardians said.
        table: "recovery_cases",
        kept: QUARTER,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM recovery_cases WHERE (tenant_id, id, expires_at) IN \
             (SELECT tenant_id, id, expires_at FROM recovery_cases WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "impersonations",
        kept: QUARTER,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM impersonations WHERE (tenant_id, id, expires_at) IN \
             (SELECT tenant_id, id, expires_at FROM impersonations WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "delegations",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM delegations WHERE (tenant_id, id, expires_at) IN \
             (SELECT tenant_id, id, expires_at FROM delegations WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "spent_assertions",
        kept: NOT_AT_ALL,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM spent_assertions WHERE (tenant_id, digest, expires_at) IN \
             (SELECT tenant_id, digest, expires_at FROM spent_assertions WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "links",
        kept: NOT_AT_ALL,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM links WHERE (tenant_id, digest, expires_at) IN \
             (SELECT tenant_id, digest, expires_at FROM links WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "sessions",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM sessions WHERE (tenant_id, id, expires_at) IN \
             (SELECT tenant_id, id, expires_at FROM sessions WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "revocations",
        kept: NOT_AT_ALL,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM revocations WHERE (tenant_id, kind, value, expires_at) IN \
             (SELECT tenant_id, kind, value, expires_at FROM revocations WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        // Also what was never fetched: after a month it is no news. The history of webhooks is kept as long as the configuration says.
        table: "deliveries",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM deliveries WHERE (tenant_id, id, state, COALESCE(due_at, 0)) IN \
             (SELECT tenant_id, id, state, COALESCE(due_at, 0) FROM deliveries WHERE created_at <= $1 \
             AND (state <> 'due' OR due_at IS NULL) AND queue <> 'webhooks' LIMIT $2)"
        ),
    },
    Rule {
        // An event that an active subscription has not got, or is to get again, stays, however old it is; so does one along which an active
        // target of provisioning has not been led.
        table: "events",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM events WHERE (tenant_id, position) IN (SELECT e.tenant_id, e.position \
             FROM events e WHERE e.created_at <= $1 AND NOT EXISTS (SELECT 1 FROM webhooks w \
             WHERE w.tenant_id = e.tenant_id AND w.active AND (w.position < e.position \
             OR w.replay_position < e.position AND e.position <= w.replay_until)) \
             AND NOT EXISTS (SELECT 1 FROM scim_targets t WHERE t.tenant_id = e.tenant_id AND t.active \
             AND t.position < e.position) LIMIT $2)"
        ),
    },
    Rule {
        // Where webhooks are switched off, or the receiver is never back, nothing is kept for ever.
        table: "events",
        kept: QUARTER,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM events WHERE (tenant_id, position) IN \
             (SELECT tenant_id, position FROM events WHERE created_at <= $1 ORDER BY created_at LIMIT $2)"
        ),
    },
    Rule {
        // This table and the next two are those of earlier versions; what waited in them was moved to `deliveries`.
        table: "mails",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM mails WHERE (tenant_id, id, state) IN \
             (SELECT tenant_id, id, state FROM mails WHERE created_at <= $1 AND state <> 'due' LIMIT $2)"
        ),
    },
    Rule {
        table: "logout_deliveries",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM logout_deliveries WHERE (tenant_id, id, state) IN \
             (SELECT tenant_id, id, state FROM logout_deliveries WHERE created_at <= $1 AND state <> 'due' LIMIT $2)"
        ),
    },
    Rule {
        table: "signal_events",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM signal_events WHERE (tenant_id, id) IN \
             (SELECT tenant_id, id FROM signal_events WHERE created_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        // The last of each tenant; decisions older than a week say nothing about the present policies.
        table: "policy_decisions",
        kept: Seconds(7 * 86_400),
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM policy_decisions WHERE (tenant_id, id) IN \
             (SELECT tenant_id, id FROM policy_decisions WHERE at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        // Details of a payment are hardly ever the same again.
        table: "consented_details",
        kept: YEAR,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM consented_details WHERE (tenant_id, tenant_user_id, app_id, audience, digest) IN \
             (SELECT tenant_id, tenant_user_id, app_id, audience, digest FROM consented_details WHERE created_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "outbox",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM outbox WHERE (tenant_id, id) IN \
             (SELECT tenant_id, id FROM outbox WHERE created_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        // Long enough to show habits, and short for a record of where people were.
        table: "login_history",
        kept: QUARTER,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM login_history WHERE (tenant_id, id) IN \
             (SELECT tenant_id, id FROM login_history WHERE at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "idempotency_keys",
        kept: NOT_AT_ALL,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM idempotency_keys WHERE (tenant_id, caller, route, key_digest, expires_at) IN \
             (SELECT tenant_id, caller, route, key_digest, expires_at FROM idempotency_keys WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        // The longest lock is a day; a counter that was not touched for a month says nothing.
        table: "account_attempts",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM account_attempts WHERE (subject, updated_at, locked_until) IN (SELECT subject, updated_at, \
             locked_until FROM account_attempts WHERE updated_at <= $1 AND locked_until <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "account_credentials",
        kept: NOT_AT_ALL,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM account_credentials WHERE (id, expires_at) IN \
             (SELECT id, expires_at FROM account_credentials WHERE expires_at <= $1 LIMIT $2)"
        ),
    },
    Rule {
        table: "signing_keys",
        kept: MONTH,
        delete: quiet_system_sql!(
            "expired",
            "DELETE FROM signing_keys WHERE (kid, state, expires_at) IN \
             (SELECT kid, state, expires_at FROM signing_keys WHERE state = 'retired' AND expires_at <= $1 LIMIT $2)"
        ),
    },
];

/// Tables of which PostgreSQL drops a month when the last of its rows may go; SQLite removes their rows like others.
const BY_MONTH: [&str; 1] = ["outbox"];

/// The tables that a run looks through.
pub fn tables() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.table)
}

/// What a run removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Rows of all tables.
    pub rows: u64,
    /// Months of PostgreSQL's tables, each with all of its rows.
    pub months: u64,
    /// Whether a table may have more.
    pub has_more: bool,
}

/// Removes up to [`BATCH`] rows of each table, and the months that are over; finished deliveries of webhooks are kept for the time of
/// `history`.
pub async fn run(db: &Db, cx: &Cx, settled: Timestamp, history: Seconds) -> Result<Swept> {
    let has_months = db.engine() == Engine::Postgres;
    let (by_month, by_row): (Vec<_>, Vec<_>) =
        RULES.iter().partition(|rule| has_months && BY_MONTH.contains(&rule.table));
    let mut swept = Swept::default();
    let mut tx = db.begin_system().await?;
    for rule in by_row {
        let rows = tx.execute(rule.delete, args![settled - rule.kept, BATCH]).await?;
        swept.removed(rule.table, rows);
    }
    let unused = crate::apps::registrations::remove_unused(&mut tx, cx, settled, BATCH).await?;
    swept.removed("registrations", unused);
    let finished = crate::delivery::webhooks::forget_old(&mut tx, settled - history, BATCH).await?;
    swept.removed("deliveries", finished);
    tx.commit().await?;
    for rule in by_month {
        let dropped = db.drop_months(rule.table, settled - rule.kept, BATCH).await?;
        if dropped.months > 0 {
            tracing::info!(table = rule.table, months = dropped.months, "dropped what is over");
        }
        swept.months += dropped.months;
        swept.removed(rule.table, dropped.rows);
    }
    Ok(swept)
}

impl Swept {
    fn removed(&mut self, table: &str, rows: u64) {
        if rows > 0 {
            tracing::debug!(table, rows, "swept");
        }
        self.rows += rows;
        self.has_more |= rows >= u64::from(BATCH);
    }
}
