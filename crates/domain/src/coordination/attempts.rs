//! Brute-force protection: one counter per subject, reserved before a guess is evaluated, surviving restarts.

use svc_core::{AccountId, Cx, Digest, Error, Result, Seconds};
use svc_db::{Tx, account_sql, args};

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
    Last,
    /// Locked: the guess must not be evaluated.
    Locked,
}

const LONGEST_LOCK: i64 = 86_400;

/// The counter of wrong guesses at an account's password, whatever name its person is called by.
pub fn subject_of(account: AccountId) -> Digest {
    svc_keys::digest(&format!("account {account}"))
}

/// Counts a guess before it is evaluated, so that parallel guesses cannot outrun the counter.
pub async fn reserve<S>(tx: &mut Tx<S>, cx: &Cx, subject: Digest, policy: Policy) -> Result<Reservation> {
    let upsert = account_sql!(
        "INSERT INTO account_attempts (subject, failures, lockouts, locked_until, updated_at) VALUES ($1, 1, 0, 0, $2) \
         ON CONFLICT (subject) DO UPDATE SET failures = account_attempts.failures + 1, updated_at = excluded.updated_at \
         WHERE account_attempts.locked_until <= $2 RETURNING failures, lockouts"
    );
    let Some(row) = tx.optional(upsert, args![subject, cx.now]).await? else {
        return Ok(Reservation::Locked);
    };
    if row.int("failures")? < i64::from(policy.max_attempts) {
        return Ok(Reservation::Granted);
    }
    let doublings = u32::try_from(row.int("lockouts")?.clamp(0, 16)).map_err(Error::internal)?;
    let span = policy.lockout.0.saturating_mul(1 << doublings).min(LONGEST_LOCK.max(policy.lockout.0));
    let lock = account_sql!(
        "UPDATE account_attempts SET failures = 0, lockouts = lockouts + 1, locked_until = $2 WHERE subject = $1"
    );
    tx.execute(lock, args![subject, cx.now + Seconds(span)]).await?;
    Ok(Reservation::Last)
}

/// Whether guessing has locked the subject.
pub async fn is_locked<S>(tx: &mut Tx<S>, cx: &Cx, subject: Digest) -> Result<bool> {
    let select =
        account_sql!("SELECT subject FROM account_attempts WHERE subject = $1 AND locked_until > $2");
    Ok(tx.optional(select, args![subject, cx.now]).await?.is_some())
}

/// Forgets the count after a right guess or a proven reset.
pub async fn clear<S>(tx: &mut Tx<S>, subject: Digest) -> Result<()> {
    let delete = account_sql!("DELETE FROM account_attempts WHERE subject = $1");
    tx.execute(delete, args![subject]).await.map(|_| ())
}
