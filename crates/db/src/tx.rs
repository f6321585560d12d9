//! Transactions of one tenant or of the whole system; the only way to run a statement.

use futures_util::TryStreamExt as _;
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Executor as _, Postgres, Sqlite, Transaction};
use svc_core::{Error, Result, TenantId};

use crate::error::translate;
use crate::row::Row;
use crate::sql::Statement;
use crate::value::Value;

/// One tenant's rows, and deployment-wide accounts.
pub struct Tenant(pub(crate) TenantId);

/// Every row: for workers and operators.
pub struct System(pub(crate) ());

/// A transaction. Dropping it without `commit` rolls back.
pub struct Tx<S> {
    inner: Inner,
    space: S,
    /// Writes whose result is of no interest, in the order of the program.
    pending: Vec<(&'static str, Vec<Value>)>,
}

pub(crate) enum Inner {
    Pg(Transaction<'static, Postgres>),
    Sqlite(Transaction<'static, Sqlite>),
    /// Each statement of a reader sees a consistent state by itself; SQLite needs no transaction for that.
    SqliteRead(PoolConnection<Sqlite>),
}

impl Tx<Tenant> {
    /// Whose rows this transaction may touch.
    pub fn tenant(&self) -> TenantId {
        self.space.0
    }
}

impl<S> Tx<S> {
    pub(crate) fn new(inner: Inner, space: S) -> Self {
        Self { inner, space, pending: Vec::new() }
    }

    /// Keeps a write whose result the operation does not need. It is sent together with the next statement or with the
    /// commit, whichever comes first, so that it costs no round trip; its failure is the failure of what it is sent with.
    #[expect(clippy::needless_pass_by_value, reason = "called with `sql!(…)`, like its neighbours")]
    pub fn later(&mut self, statement: impl Statement<S>, args: &[Value]) {
        let first = statement.first_bind(&self.space);
        self.pending.push((statement.text(), first.into_iter().chain(args.iter().cloned()).collect()));
    }

    /// Runs what was kept, in order.
    async fn flush(&mut self) -> Result<()> {
        for (text, args) in std::mem::take(&mut self.pending) {
            self.run(text, None, &args).await?;
        }
        Ok(())
    }

    /// Runs a statement; returns the number of rows it changed.
    pub async fn execute(&mut self, statement: impl Statement<S>, args: &[Value]) -> Result<u64> {
        self.flush().await?;
        self.run(statement.text(), statement.first_bind(&self.space), args).await
    }

    async fn run(&mut self, text: &'static str, first: Option<Value>, args: &[Value]) -> Result<u64> {
        let done = match &mut self.inner {
            Inner::Pg(tx) => (**tx).execute(pg(text, first, args)).await.map(|done| done.rows_affected()),
            Inner::Sqlite(tx) => {
                (**tx).execute(sqlite(text, first, args)).await.map(|done| done.rows_affected())
            }
            Inner::SqliteRead(conn) => {
                (**conn).execute(sqlite(text, first, args)).await.map(|done| done.rows_affected())
            }
        };
        done.map_err(translate)
    }

    /// The one row that a statement yields; none is a fault of ours.
    pub async fn one(&mut self, statement: impl Statement<S>, args: &[Value]) -> Result<Row> {
        self.optional(statement, args).await?.ok_or_else(|| Error::internal("a statement yielded no row"))
    }

    /// The first row that a statement yields, if any.
    pub async fn optional(&mut self, statement: impl Statement<S>, args: &[Value]) -> Result<Option<Row>> {
        self.flush().await?;
        let first = statement.first_bind(&self.space);
        let text = statement.text();
        let row = match &mut self.inner {
            Inner::Pg(tx) => (**tx).fetch_optional(pg(text, first, args)).await.map(|row| row.map(Row::Pg)),
            Inner::Sqlite(tx) => {
                (**tx).fetch_optional(sqlite(text, first, args)).await.map(|row| row.map(Row::Sqlite))
            }
            Inner::SqliteRead(conn) => {
                (**conn).fetch_optional(sqlite(text, first, args)).await.map(|row| row.map(Row::Sqlite))
            }
        };
        row.map_err(translate)
    }

    /// Every row that a statement yields.
    pub async fn all(&mut self, statement: impl Statement<S>, args: &[Value]) -> Result<Vec<Row>> {
        self.flush().await?;
        let first = statement.first_bind(&self.space);
        let text = statement.text();
        let rows = match &mut self.inner {
            Inner::Pg(tx) => (**tx).fetch(pg(text, first, args)).map_ok(Row::Pg).try_collect().await,
            Inner::Sqlite(tx) => {
                (**tx).fetch(sqlite(text, first, args)).map_ok(Row::Sqlite).try_collect().await
            }
            Inner::SqliteRead(conn) => {
                (**conn).fetch(sqlite(text, first, args)).map_ok(Row::Sqlite).try_collect().await
            }
        };
        rows.map_err(translate)
    }

    /// Makes the changes durable and visible.
    pub async fn commit(mut self) -> Result<()> {
        self.flush().await?;
        match self.inner {
            Inner::Pg(tx) => tx.commit().await.map_err(translate),
            Inner::Sqlite(tx) => tx.commit().await.map_err(translate),
            Inner::SqliteRead(_) => Ok(()),
        }
    }

    /// Gives the changes up at once, rather than when the connection is next used.
    pub async fn rollback(self) -> Result<()> {
        match self.inner {
            Inner::Pg(tx) => tx.rollback().await.map_err(translate),
            Inner::Sqlite(tx) => tx.rollback().await.map_err(translate),
            Inner::SqliteRead(_) => Ok(()),
        }
    }
}

macro_rules! binder {
    ($name:ident, $database:ty, $arguments:ty) => {
        fn $name<'q>(
            text: &'static str,
            first: Option<Value>,
            args: &[Value],
        ) -> Query<'q, $database, $arguments> {
            let query = sqlx::query(text);
            first.into_iter().chain(args.iter().cloned()).fold(query, |query, value| match value {
                Value::Int(value) => query.bind(value),
                Value::Bool(value) => query.bind(value),
                Value::Text(value) => query.bind(value),
                Value::Bytes(value) => query.bind(value),
            })
        }
    };
}

binder!(pg, Postgres, PgArguments);
binder!(sqlite, Sqlite, SqliteArguments);
