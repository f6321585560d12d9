//! Transactions of one tenant or of the whole system; the only way to run a statement.

use std::future::ready;
use std::mem;
use std::pin::Pin;
use std::sync::Weak;

use svc_core::{Error, Result, TenantId};

use crate::call::{Answer, Call};
use crate::memory::{Memory, Remembered};
use crate::row::Row;
use crate::sql::Statement;
use crate::value::Value;
use crate::{pg, sqlite};

/// One tenant's rows, and deployment-wide accounts.
pub struct Tenant(pub(crate) TenantId);

/// Every row: for workers and operators.
pub struct System(pub(crate) ());

/// Says that a transaction holds something: what it reads of that from now on is still so at its commit.
#[derive(Clone, Copy, Debug)]
pub struct Held(());

/// A transaction. Dropping it without `commit` rolls back.
pub struct Tx<S> {
    inner: Inner,
    space: S,
    /// Writes whose result is of no interest, in the order of the program.
    pending: Vec<Call>,
    /// What is written last: the record of what the transaction did.
    record: Vec<Call>,
    remembered: Remembered,
}

pub(crate) enum Inner {
    Pg(pg::Transaction),
    PgRead(pg::Reader),
    Sqlite(sqlite::Transaction),
    SqliteRead(sqlite::Readers, sqlite::Place),
    SqliteSnapshot(sqlite::Snapshot),
}

/// Boxed, because operations are deep and a driver's futures are large.
type Answering<'a> = Pin<Box<dyn Future<Output = Result<Vec<Answer>>> + Send + 'a>>;

impl Inner {
    fn run(&mut self, calls: Vec<Call>) -> Answering<'_> {
        match self {
            Self::Pg(tx) => Box::pin(async move { tx.run(&calls).await }),
            Self::PgRead(reader) => Box::pin(async move { reader.run(&calls).await }),
            Self::Sqlite(tx) => Box::pin(tx.run(calls)),
            Self::SqliteRead(readers, place) => Box::pin(readers.run(calls, *place)),
            Self::SqliteSnapshot(snapshot) => Box::pin(snapshot.run(calls)),
        }
    }

    fn commit(self, calls: Vec<Call>) -> Answering<'static> {
        match self {
            Self::Pg(tx) => Box::pin(async move { tx.commit(&calls).await }),
            Self::Sqlite(tx) => Box::pin(tx.commit(calls)),
            Self::PgRead(_) | Self::SqliteRead(..) | Self::SqliteSnapshot(_) if calls.is_empty() => {
                Box::pin(ready(Ok(Vec::new())))
            }
            Self::PgRead(reader) => Box::pin(async move { reader.run(&calls).await }),
            Self::SqliteRead(readers, place) => Box::pin(async move { readers.run(calls, place).await }),
            Self::SqliteSnapshot(mut snapshot) => Box::pin(async move { snapshot.run(calls).await }),
        }
    }
}

impl Tx<Tenant> {
    /// Whose rows this transaction may touch.
    pub fn tenant(&self) -> TenantId {
        self.space.0
    }

    /// Lets no other transaction of the tenant hold `what` until this one ends, from its next statement on: what that one
    /// counts stays true. On SQLite a transaction that writes is alone in any case.
    pub fn hold(&mut self, what: &str) -> Held {
        self.hold_name(format!("{} {what}", self.space.0))
    }

    /// Shares `what` with others that share it: no transaction of the tenant holds it until this one ends, from its next statement on.
    pub fn share(&mut self, what: &str) {
        let text = "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))::text AS held";
        self.lock(text, format!("{} {what}", self.space.0));
    }
}

impl Tx<System> {
    /// Lets no other transaction of the deployment hold `what` until this one ends, as [`Tx::hold`] does for a tenant.
    pub fn hold(&mut self, what: &str) -> Held {
        self.hold_name(format!("system {what}"))
    }

    /// The same as [`Tx::hold`] in a transaction of the tenant.
    pub fn hold_in(&mut self, tenant: TenantId, what: &str) {
        self.hold_name(format!("{tenant} {what}"));
    }

    /// Does a part of an operator's transaction within one tenant; it is committed with the rest.
    pub async fn within<T>(
        self,
        tenant: TenantId,
        work: impl AsyncFnOnce(&mut Tx<Tenant>) -> T,
    ) -> (Self, T) {
        let Self { inner, pending, record, remembered, .. } = self;
        let mut part = Tx { inner, space: Tenant(tenant), pending, record, remembered };
        let done = work(&mut part).await;
        let Tx { inner, pending, record, remembered, .. } = part;
        (Self { inner, space: System(()), pending, record, remembered }, done)
    }
}

impl<S> Tx<S> {
    /// Lets no other transaction hold `what` until this one ends, as `hold` does, where that is of the whole deployment, as accounts are: no
    /// transaction of another tenant, or of the system.
    pub fn hold_everywhere(&mut self, what: &str) {
        self.hold_name(format!("everywhere {what}"));
    }

    fn hold_name(&mut self, name: String) -> Held {
        self.lock("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text AS held", name);
        Held(())
    }

    fn lock(&mut self, text: &'static str, name: String) {
        if let Inner::Pg(_) = self.inner {
            self.pending.push(Call { text, args: vec![Value::from(name)] });
        }
    }

    pub(crate) fn new(inner: Inner, space: S, memory: Option<Weak<dyn Memory>>) -> Self {
        let remembered = Remembered::new(memory);
        Self { inner, space, pending: Vec::new(), record: Vec::new(), remembered }
    }

    /// A statement with its arguments, to be run with others.
    #[expect(clippy::needless_pass_by_value, reason = "called with `sql!(…)`, like its neighbours")]
    pub fn call(&self, statement: impl Statement<S>, args: &[Value]) -> Call {
        let first = statement.first_bind(&self.space);
        Call { text: statement.text(), args: first.into_iter().chain(args.iter().cloned()).collect() }
    }

    /// Keeps a write whose result the operation does not need. It is sent together with the next statement or with the
    /// commit, whichever comes first, so that it costs no round trip; its failure is the failure of what it is sent with.
    pub fn later(&mut self, statement: impl Statement<S>, args: &[Value]) {
        let call = self.call(statement, args);
        self.pending.push(call);
    }

    /// The writes that wait for the end of the transaction: their texts, and their arguments, which may still be added to.
    pub fn records_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut [Value])> {
        self.record.iter_mut().map(|call| (call.text, call.args.as_mut_slice()))
    }

    /// Keeps a write for the end of the transaction: it is sent together with the commit, after everything else.
    pub fn at_commit(&mut self, statement: impl Statement<S>, args: &[Value]) {
        let call = self.call(statement, args);
        self.record.push(call);
    }

    /// Runs a statement; returns the number of rows it changed.
    pub async fn execute(&mut self, statement: impl Statement<S>, args: &[Value]) -> Result<u64> {
        let call = self.call(statement, args);
        Ok(self.run(call).await?.changed)
    }

    /// The one row that a statement yields; none is a fault of ours.
    pub async fn one(&mut self, statement: impl Statement<S>, args: &[Value]) -> Result<Row> {
        self.optional(statement, args).await?.ok_or_else(|| Error::internal("a statement yielded no row"))
    }

    /// The first row that a statement yields, if any.
    pub async fn optional(&mut self, statement: impl Statement<S>, args: &[Value]) -> Result<Option<Row>> {
        let rows = self.all(statement, args).await?;
        Ok(rows.into_iter().next())
    }

    /// Every row that a statement yields.
    pub async fn all(&mut self, statement: impl Statement<S>, args: &[Value]) -> Result<Vec<Row>> {
        let call = self.call(statement, args);
        Ok(self.run(call).await?.rows)
    }

    /// The rows of several statements that do not need each other's answers, in one round trip.
    pub async fn batch<const N: usize>(&mut self, calls: [Call; N]) -> Result<[Vec<Row>; N]> {
        let answers = self.fly(calls.into()).await?;
        let rows: Vec<_> = answers.into_iter().map(|answer| answer.rows).collect();
        rows.try_into().map_err(|_| Error::internal("a batch yielded another number of answers"))
    }

    /// The same for as many statements as there are.
    pub async fn batch_of(&mut self, calls: Vec<Call>) -> Result<Vec<Vec<Row>>> {
        Ok(self.fly(calls).await?.into_iter().map(|answer| answer.rows).collect())
    }

    /// Runs statements that do not need each other's answers, in one round trip; returns the number of rows that each changed.
    pub(crate) async fn changed(&mut self, calls: Vec<Call>) -> Result<Vec<u64>> {
        Ok(self.fly(calls).await?.iter().map(|answer| answer.changed).collect())
    }

    /// Makes the changes durable and visible, also in the memory of this process.
    pub async fn commit(self) -> Result<()> {
        self.end(Vec::new()).await.map(drop)
    }

    /// Runs a last statement and commits, in one round trip; returns the number of rows that it changed.
    pub async fn commit_after(self, statement: impl Statement<S>, args: &[Value]) -> Result<u64> {
        let call = self.call(statement, args);
        let changed = self.commit_after_all(vec![call]).await?;
        changed.into_iter().next().ok_or_else(|| Error::internal("a statement was not answered"))
    }

    /// Runs the last statements and commits, in one round trip; returns the number of rows that each changed.
    pub async fn commit_after_all(self, calls: Vec<Call>) -> Result<Vec<u64>> {
        Ok(self.end(calls).await?.iter().map(|answer| answer.changed).collect())
    }

    /// Runs the last statements and commits, in one round trip; returns the rows that each yields.
    pub async fn commit_after_batch<const N: usize>(self, calls: [Call; N]) -> Result<[Vec<Row>; N]> {
        let answers = self.end(calls.into()).await?;
        let rows: Vec<_> = answers.into_iter().map(|answer| answer.rows).collect();
        rows.try_into().map_err(|_| Error::internal("a batch yielded another number of answers"))
    }

    /// Keeps a call for later: see [`Tx::later`].
    pub(crate) fn keep(&mut self, call: Call) {
        self.pending.push(call);
    }

    /// Gives the changes up at once, rather than when the connection is next used. An operation that answers with what it read
    /// in a writing transaction, and changes nothing, ends with this: on SQLite only then is what it read durable.
    pub async fn rollback(self) -> Result<()> {
        match self.inner {
            Inner::Pg(tx) => tx.rollback().await,
            Inner::Sqlite(tx) => tx.rollback().await,
            Inner::PgRead(_) | Inner::SqliteRead(..) | Inner::SqliteSnapshot(_) => Ok(()),
        }
    }

    fn note(&mut self, calls: &[Call]) {
        for call in calls {
            self.remembered.note(call);
        }
    }

    async fn run(&mut self, call: Call) -> Result<Answer> {
        let answers = self.fly(vec![call]).await?;
        answers.into_iter().next().ok_or_else(|| Error::internal("a statement was not answered"))
    }

    /// Sends what was kept and `calls`; returns the answers to `calls`.
    async fn fly(&mut self, calls: Vec<Call>) -> Result<Vec<Answer>> {
        let kept = self.pending.len();
        let mut all = mem::take(&mut self.pending);
        all.extend(calls);
        self.note(&all);
        let mut answers = self.inner.run(all).await?;
        Ok(answers.split_off(kept.min(answers.len())))
    }

    /// Sends what was kept, `last` and the record, and commits; returns the answers to `last`.
    async fn end(mut self, last: Vec<Call>) -> Result<Vec<Answer>> {
        let (kept, asked) = (self.pending.len(), last.len());
        let mut calls = mem::take(&mut self.pending);
        calls.extend(last);
        self.note(&calls);
        calls.append(&mut self.record);
        let answers = self.inner.commit(calls).await?;
        self.remembered.refresh().await;
        Ok(answers.into_iter().skip(kept).take(asked).collect())
    }
}
