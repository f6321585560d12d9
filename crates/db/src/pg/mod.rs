//! PostgreSQL over tokio-postgres: a decision's statements travel together.

mod address;
mod connection;
mod flight;
mod outage;
mod pool;
mod tls;
mod transaction;

pub(crate) use pool::Pool;
pub(crate) use transaction::{Reader, Transaction};
