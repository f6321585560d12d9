//! The aggregates against a real engine: SQLite, or PostgreSQL when `SVC_TEST_DATABASE_URL` is set.

mod accounts_and_locks;
mod isolation;
mod migrations;
mod spending;
mod world;
