//! The driver port: one SQL text, two engines (PostgreSQL and SQLite), transactions that know whose data they may touch.
//!
//! The dialect that both engines share is written down in the `README.md` of this crate.

mod call;
pub mod coordination;
mod counts;
mod engine;
mod error;
mod inspect;
mod memory;
mod migrate;
mod months;
mod pg;
mod rights;
mod row;
mod sql;
mod sqlite;
mod tls;
mod tx;
mod value;

pub use call::Call;
pub use counts::{Connections, Counts};
pub use engine::{Db, Engine, PoolSettings};
pub use memory::{Memory, Rows, Written};
pub use migrate::{Migration, SchemaState};
pub use months::Dropped;
pub use row::{Row, SqliteRow};
pub use sql::{AccountSql, Change, Statement, SystemSql, TenantSql};
pub use tx::{Held, System, Tenant, Tx};
pub use value::{Times, Value, after, before};
