//! The driver port: one SQL text, two engines (PostgreSQL and SQLite), transactions that know whose data they may touch.
//!
//! The dialect that both engines share is written down in `README.md` beside this crate.

pub mod coordination;
mod engine;
mod error;
mod inspect;
mod migrate;
mod row;
mod sql;
mod tx;
mod value;

pub use engine::{Db, Engine, PoolSettings};
pub use migrate::{Migration, SchemaState};
pub use row::Row;
pub use sql::{AccountSql, Statement, SystemSql, TenantSql};
pub use tx::{System, Tenant, Tx};
pub use value::Value;
