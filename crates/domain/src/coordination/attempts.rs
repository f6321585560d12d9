//! Brute-force protection: one counter per subject, reserved before a guess is evaluated, surviving restarts.

use svc_core::{AccountId, Cx, Digest, Error, Result, Seconds, Timestamp};
use svc_db::{Call, Row, Tx, account_sql, args, quiet_account_sql};

/// How many guesses, and how long a lock lasts at first; it doubles with each further lock, up to a day.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Guesses before the lock.
    pub max_attempts: u32,
    /// Seconds of the first lock.
    pub lockout: Seconds,
}

/// What reserving a guess said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reservation {
    /// The guess may be evaluated.
    Granted,
    /// The guess may be evaluated and is the last: if it is wrong, the subject is locked.
    Last {
        /// When the lock ends.
        until: Timestamp,
        /// Whether no other lock came before it without a right guess in between.
        is_first: bool,
    },
    /// Locked: the guess must not be evaluated.
    Locked {
        /// When the lock ends.
        until: Timestamp,
    },
}

impl Reservation {
    /// Whether the guess must not be evaluated.
    pub fn is_locked(self) -> bool {
        matches!(self, Self::Locked { .. })
    }
}

/// However often the lock has doubled.
const LONGEST_LOCK: Seconds = Seconds(86_400);
/// Microseconds of a second.
const MICROS: i64 = 1_000_000;

/// The counter of wrong guesses at an account's password, by whatever name.
pub fn subject_of(account: AccountId) -> Digest {
    svc_keys::digest(&format!("account {account}"))
}

/// Counts a guess, by each counter that it is one of, and commits that before the guess is evaluated: parallel guesses
/// cannot outrun the counters. The guess that reaches the limit sets the lock in the same statement.
pub async fn reserve<S, const N: usize>(
    tx: Tx<S>,
    cx: &Cx,
    subjects: [Digest; N],
    policy: Policy,
) -> Result<[Reservation; N]> {
    let calls = subjects.map(|subject| count(&tx, cx, subject, policy));
    let counted = tx.commit_after_batch(calls).await?;
    let mut reservations = [Reservation::Granted; N];
    for (reservation, rows) in reservations.iter_mut().zip(&counted) {
        let row = rows.first().ok_or_else(|| Error::internal("a counter yielded no row"))?;
        *reservation = reserved(row, cx.now)?;
    }
    Ok(reservations)
}

/// `failures` says more than a number where the counter is locked: 0 is written by the guess that locks it, and -1 by those
/// that come later.
fn count<S>(tx: &Tx<S>, cx: &Cx, subject: Digest, policy: Policy) -> Call {
    let upsert = quiet_account_sql!(
        "counts guesses",
        "INSERT INTO account_attempts (subject, failures, lockouts, locked_until, updated_at) VALUES ($1, $6, $7, $8, $2) \
         ON CONFLICT (subject) DO UPDATE SET \
         failures = CASE WHEN account_attempts.locked_until > $2 THEN -1 \
         WHEN account_attempts.failures + 1 >= $3 OR $3 <= 1 THEN 0 \
         WHEN account_attempts.failures < 0 THEN 1 ELSE account_attempts.failures + 1 END, \
         lockouts = CASE WHEN account_attempts.locked_until > $2 \
         OR (account_attempts.failures + 1 < $3 AND $3 > 1) OR account_attempts.lockouts >= 16 \
         THEN account_attempts.lockouts ELSE account_attempts.lockouts + 1 END, \
         locked_until = CASE WHEN account_attempts.locked_until > $2 \
         OR (account_attempts.failures + 1 < $3 AND $3 > 1) THEN account_attempts.locked_until \
         WHEN CAST($4 AS BIGINT) << CAST(account_attempts.lockouts AS INTEGER) < $5 \
         THEN $2 + (CAST($4 AS BIGINT) << CAST(account_attempts.lockouts AS INTEGER)) ELSE $2 + $5 END, \
         updated_at = excluded.updated_at RETURNING failures, lockouts, locked_until"
    );
    let span = policy.lockout.0.saturating_mul(MICROS);
    let longest = span.max(LONGEST_LOCK.0 * MICROS);
    // The first guess of all may be the last as well.
    let first = if policy.max_attempts <= 1 {
        (0_i64, 1_i64, cx.now + policy.lockout)
    } else {
        (1, 0, Timestamp::from_micros(0))
    };
    let most = i64::from(policy.max_attempts);
    tx.call(upsert, args![subject, cx.now, most, span, longest, first.0, first.1, first.2])
}

fn reserved(row: &Row, now: Timestamp) -> Result<Reservation> {
    let until = row.time("locked_until")?;
    if until <= now {
        return Ok(Reservation::Granted);
    }
    if row.int("failures")? < 0 {
        return Ok(Reservation::Locked { until });
    }
    Ok(Reservation::Last { until, is_first: row.int("lockouts")? == 1 })
}

/// Returns a reservation whose guess was not evaluated, for example because the queue for hashes was full.
pub fn give_back<S>(tx: &mut Tx<S>, subject: Digest, reservation: Reservation, policy: Policy) {
    let uncount = quiet_account_sql!(
        "counts guesses",
        "UPDATE account_attempts SET failures = failures - 1 WHERE subject = $1 AND failures > 0"
    );
    let unlock = quiet_account_sql!(
        "counts guesses",
        "UPDATE account_attempts SET failures = $3, lockouts = lockouts - 1, locked_until = 0 \
         WHERE subject = $1 AND locked_until = $2"
    );
    let others = i64::from(policy.max_attempts).saturating_sub(1);
    match reservation {
        Reservation::Granted => tx.later(uncount, args![subject]),
        Reservation::Last { until, .. } => tx.later(unlock, args![subject, until, others]),
        Reservation::Locked { .. } => {}
    }
}

/// Whether guessing has locked the subject.
pub async fn is_locked<S>(tx: &mut Tx<S>, cx: &Cx, subject: Digest) -> Result<bool> {
    let select =
        account_sql!("SELECT subject FROM account_attempts WHERE subject = $1 AND locked_until > $2");
    Ok(tx.optional(select, args![subject, cx.now]).await?.is_some())
}

/// Forgets the count after a right guess or a proven reset.
pub fn clear<S>(tx: &mut Tx<S>, subject: Digest) {
    let delete = quiet_account_sql!("counts guesses", "DELETE FROM account_attempts WHERE subject = $1");
    tx.later(delete, args![subject]);
}
