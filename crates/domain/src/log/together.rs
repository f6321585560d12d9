//! Statements that write several rows at once: each costs PostgreSQL about as much as a row does.

use svc_db::Value;

/// Rows that one statement writes.
pub(super) const TOGETHER: usize = 16;

/// The arguments of a statement for [`TOGETHER`] rows. Where there are fewer, the rest are `none`, which the statement passes over.
pub(super) fn arguments<const N: usize>(rows: &[[Value; N]], none: &[Value; N]) -> Vec<Value> {
    let mut arguments = Vec::with_capacity(TOGETHER * N);
    arguments.extend(rows.iter().flatten().cloned());
    for _ in rows.len()..TOGETHER {
        arguments.extend_from_slice(none);
    }
    arguments
}
