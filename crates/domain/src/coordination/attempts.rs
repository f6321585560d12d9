//! Brute-force protection: one counter per subject, reserved before a guess is evaluated, surviving restarts.

use svc_core::{AccountId, Cx, Digest, Error, OrInternal as _, Result, Seconds, Timestamp};
use svc_db::{Row, Tx, account_sql, args, quiet_account_sql};

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

const LONGEST_LOCK: i64 = 86_400;

/// The counter of wrong guesses at an account's password, by whatever name.
pub fn subject_of(account: AccountId) -> Digest {
    svc_keys::digest(&format!("account {account}"))
}

/// Counts a guess before it is evaluated, so that parallel guesses cannot outrun the counter.
pub async fn reserve<S>(tx: &mut Tx<S>, cx: &Cx, subject: Digest, policy: Policy) -> Result<Reservation> {
    let [reservation] = reserve_all(tx, cx, [subject], policy).await?;
    Ok(reservation)
}

/// The same for a guess that several counters count, in one round trip.
pub async fn reserve_all<S, const N: usize>(
    tx: &mut Tx<S>,
    cx: &Cx,
    subjects: [Digest; N],
    policy: Policy,
) -> Result<[Reservation; N]> {
    let upsert = quiet_account_sql!(
        "counts guesses",
        "INSERT INTO account_attempts (subject, failures, lockouts, locked_until, updated_at) VALUES ($1, 1, 0, 0, $2) \
         ON CONFLICT (subject) DO UPDATE SET failures = CASE WHEN account_attempts.locked_until <= $2 \
         THEN account_attempts.failures + 1 ELSE account_attempts.failures END, updated_at = excluded.updated_at \
         RETURNING failures, lockouts, locked_until"
    );
    let calls = subjects.map(|subject| tx.call(upsert, args![subject, cx.now]));
    let counted = tx.batch(calls).await?;
    let mut reservations = [Reservation::Granted; N];
    for ((reservation, subject), rows) in reservations.iter_mut().zip(subjects).zip(&counted) {
        let row = rows.first().ok_or_else(|| Error::internal("a counter yielded no row"))?;
        *reservation = reserved(row, cx, policy)?;
        if let Reservation::Last { until, .. } = *reservation {
            lock(tx, subject, until);
        }
    }
    Ok(reservations)
}

fn reserved(row: &Row, cx: &Cx, policy: Policy) -> Result<Reservation> {
    let (lockouts, until) = (row.int("lockouts")?, row.time("locked_until")?);
    if until > cx.now {
        return Ok(Reservation::Locked { until });
    }
    if row.int("failures")? < i64::from(policy.max_attempts) {
        return Ok(Reservation::Granted);
    }
    let doublings = u32::try_from(lockouts.clamp(0, 16)).or_internal()?;
    let span = policy.lockout.0.saturating_mul(1 << doublings).min(LONGEST_LOCK.max(policy.lockout.0));
    Ok(Reservation::Last { until: cx.now + Seconds(span), is_first: lockouts == 0 })
}

fn lock<S>(tx: &mut Tx<S>, subject: Digest, until: Timestamp) {
    let lock = quiet_account_sql!(
        "counts guesses",
        "UPDATE account_attempts SET failures = 0, lockouts = lockouts + 1, locked_until = $2 WHERE subject = $1"
    );
    tx.later(lock, args![subject, until]);
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
