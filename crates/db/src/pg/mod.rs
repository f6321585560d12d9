//! PostgreSQL: a decision's statements travel together. tokio-postgres connects; what follows is asked and answered here, a flight
//! at a time.

mod address;
mod answer;
mod connection;
mod flight;
mod outage;
mod pool;
mod question;
mod transaction;
mod wire;

pub use answer::PgRow;
pub(crate) use answer::Refusal;
pub(crate) use pool::Pool;
pub(crate) use transaction::{Reader, Transaction};
