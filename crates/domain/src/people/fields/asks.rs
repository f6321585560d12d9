//! How often a person has signed in where something is asked for later, and when they put it off.

use svc_core::{Result, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx, args, quiet_sql, sql};

/// How often a person has signed in, and when they last put an answer off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asks {
    /// The sign-ins since the tenant asks for something.
    pub sign_ins: i64,
    /// When they last put it off.
    pub put_off_at: Option<Timestamp>,
}

/// How often a person has signed in, and when they last put it off.
pub async fn asks(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<Asks> {
    let select = sql!(
        "SELECT sign_ins, put_off_at FROM sign_up_field_asks WHERE tenant_id = $1 AND tenant_user_id = $2"
    );
    let row = tx.optional(select, args![person]).await?;
    let asks = |row: &svc_db::Row| {
        Ok(Asks { sign_ins: row.int("sign_ins")?, put_off_at: row.maybe_time("put_off_at")? })
    };
    row.as_ref().map_or_else(|| Ok(Asks::default()), asks)
}

/// Counts a sign-in.
pub fn count_sign_in(tx: &mut Tx<Tenant>, person: TenantUserId) {
    let upsert = quiet_sql!(
        "counts sign-ins, each of which is recorded",
        "INSERT INTO sign_up_field_asks (tenant_id, tenant_user_id, sign_ins) VALUES ($1, $2, 1) \
         ON CONFLICT (tenant_id, tenant_user_id) DO UPDATE SET sign_ins = sign_up_field_asks.sign_ins + 1"
    );
    tx.later(upsert, args![person]);
}

/// Notes that a person puts off what is asked for and not required.
pub fn put_off(tx: &mut Tx<Tenant>, person: TenantUserId, now: Timestamp) {
    let upsert = quiet_sql!(
        "says when to ask again, and nothing of the person",
        "INSERT INTO sign_up_field_asks (tenant_id, tenant_user_id, sign_ins, put_off_at) VALUES ($1, $2, 0, $3) \
         ON CONFLICT (tenant_id, tenant_user_id) DO UPDATE SET put_off_at = excluded.put_off_at"
    );
    tx.later(upsert, args![person, now]);
}
