//! The delivery queue. A delivery is queued in the same transaction as the change that causes it, and waits until its receiver takes it or
//! the attempts are given up.
//!
//! Statements find due deliveries in the partial indexes of `state = 'due'`. Those without a condition on `due_at` compare
//! `queue || '' = …`, an expression, because SQLite might otherwise choose an index that also has the millions of finished webhooks.

use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_core::{AppId, Cx, Id, Kind, Result, TenantId, Timestamp};
use svc_db::{Row, Tenant, Tx, Value, args, quiet_sql, sql};

use super::schedule::Schedule;
use crate::document;
use crate::tenancy::tenants;

/// A payload, and how it waits. Secrets in it are `Sealed`.
pub trait Queue: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The kind of its ids.
    type Kind: Kind + 'static;
    /// Its name in the table, in metrics and in logs.
    const QUEUE: &'static str;
    /// When it is tried again.
    const SCHEDULE: Schedule;
    /// In which order its deliveries go out.
    const ORDER: Order;
    /// Whether the payload of a finished delivery is kept. False where it may hold a link that signs a person in.
    const KEEPS_PAYLOAD: bool = false;

    /// The type of the event that it brings, where deliveries are looked for by that.
    fn event_type(&self) -> Option<&str> {
        None
    }
}

/// In which order deliveries go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they become due.
    AsDue,
    /// Of each topic in the order in which it happened, and for each receiver only the oldest that has neither failed nor
    /// waits for one that has. A slow receiver occupies one place, and a delivery that it cannot take does not stop
    /// what is about others.
    InTurn,
    /// Of each topic in the order in which it happened, and for each receiver only so many of the oldest that have neither failed
    /// nor wait for one that has, and as many that come again. A receiver that does not answer is the queue's own business.
    ByTopic {
        /// How many.
        at_once: i64,
    },
}

/// A delivery to queue.
pub struct New<Q: Queue> {
    /// The same in every attempt, so that receivers recognise what comes twice.
    pub id: Id<Q::Kind>,
    /// What is sent.
    pub payload: Q,
    /// The application with which it is deleted.
    pub app: Option<AppId>,
    /// The receiver: when one of its deliveries gets no answer, the others wait too. Empty where each delivery waits on its own.
    pub receiver: String,
    /// Deliveries to a receiver that have the same topic keep their order.
    pub topic: String,
    /// Whether it goes out even while its receiver is paused.
    pub is_notice: bool,
    /// When what it says happened.
    pub happened_at: Timestamp,
    /// When it is to be tried; `None` where its receiver fetches it, or is paused.
    pub due_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
}

impl<Q: Queue> New<Q> {
    /// A delivery of this instant, due at once.
    pub fn of(cx: &Cx, id: Id<Q::Kind>, payload: Q) -> Self {
        Self {
            id,
            payload,
            app: None,
            receiver: String::new(),
            topic: String::new(),
            is_notice: false,
            happened_at: cx.now,
            due_at: Some(cx.now),
            created_at: cx.now,
        }
    }

    /// What is written of it, but for its tenant and its queue.
    fn arguments(&self) -> Result<[Value; 10]> {
        let payload = document::store(&self.payload)?;
        Ok([
            self.id.into(),
            self.app.into(),
            (&self.receiver).into(),
            (&self.topic).into(),
            self.is_notice.into(),
            payload.into(),
            self.happened_at.into(),
            self.due_at.into(),
            self.created_at.into(),
            self.payload.event_type().into(),
        ])
    }
}

/// A delivery that waits.
pub struct Delivery<Q: Queue> {
    /// The tenant it is sent for.
    pub tenant: TenantId,
    /// Its id.
    pub id: Id<Q::Kind>,
    /// What waits together with it.
    pub receiver: String,
    /// Whether it goes out even while its receiver is paused.
    pub is_notice: bool,
    /// How often it failed before.
    pub failures: i64,
    /// When it was made.
    pub created_at: Timestamp,
    stored: String,
    of: PhantomData<fn() -> Q>,
}

impl<Q: Queue> Delivery<Q> {
    /// What to send.
    pub fn payload(&self) -> Result<Q> {
        document::read(&self.stored)
    }

    pub(super) fn of_row(row: &Row) -> Result<Self> {
        Ok(Self {
            tenant: tenants::of_row(row)?,
            id: row.parse("id")?,
            receiver: row.text("receiver")?,
            is_notice: row.flag("is_notice")?,
            failures: row.int("failures")?,
            created_at: row.time("created_at")?,
            stored: row.text("payload")?,
            of: PhantomData,
        })
    }
}

/// Queues a delivery with the transaction.
pub fn enqueue<Q: Queue>(tx: &mut Tx<Tenant>, new: &New<Q>) -> Result<()> {
    let insert = quiet_sql!(
        "delivers what was recorded",
        "INSERT INTO deliveries (tenant_id, id, queue, app_id, receiver, topic, is_notice, payload, state, failures, \
         happened_at, due_at, created_at, event_type) VALUES \
         ($1, $3, $2, $4, $5, $6, $7, $8, 'due', 0, $9, $10, $11, $12)"
    );
    let mut arguments = args![Q::QUEUE].to_vec();
    arguments.extend(new.arguments()?);
    tx.later(insert, &arguments);
    Ok(())
}

/// How many deliveries one statement queues.
const TOGETHER: usize = 8;

/// Queues deliveries with the transaction, in few statements.
pub(super) fn enqueue_all<Q: Queue>(tx: &mut Tx<Tenant>, all: &[New<Q>]) -> Result<()> {
    let insert = quiet_sql!(
        "delivers what was recorded",
        "INSERT INTO deliveries (tenant_id, id, queue, app_id, receiver, topic, is_notice, payload, state, failures, \
         happened_at, due_at, created_at, event_type) VALUES \
         ($1, $3, $2, $4, $5, $6, $7, $8, 'due', 0, $9, $10, $11, $12), \
         ($1, $13, $2, $14, $15, $16, $17, $18, 'due', 0, $19, $20, $21, $22), \
         ($1, $23, $2, $24, $25, $26, $27, $28, 'due', 0, $29, $30, $31, $32), \
         ($1, $33, $2, $34, $35, $36, $37, $38, 'due', 0, $39, $40, $41, $42), \
         ($1, $43, $2, $44, $45, $46, $47, $48, 'due', 0, $49, $50, $51, $52), \
         ($1, $53, $2, $54, $55, $56, $57, $58, 'due', 0, $59, $60, $61, $62), \
         ($1, $63, $2, $64, $65, $66, $67, $68, 'due', 0, $69, $70, $71, $72), \
         ($1, $73, $2, $74, $75, $76, $77, $78, 'due', 0, $79, $80, $81, $82)"
    );
    let (together, rest) = all.as_chunks::<TOGETHER>();
    for some in together {
        let mut arguments = args![Q::QUEUE].to_vec();
        for new in some {
            arguments.extend(new.arguments()?);
        }
        tx.later(insert, &arguments);
    }
    rest.iter().try_for_each(|new| enqueue(tx, new))
}

/// Delivers what waits for a receiver at another time: now, where what stood in the way is mended, or no more for now.
pub(crate) fn reschedule<Q: Queue>(
    tx: &mut Tx<Tenant>,
    receiver: &str,
    is_notice: bool,
    due_at: Option<Timestamp>,
) {
    let update = quiet_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $5 WHERE tenant_id = $1 AND queue || '' = $2 AND receiver = $3 AND is_notice = $4 \
         AND state = 'due'"
    );
    tx.later(update, args![Q::QUEUE, receiver, is_notice, due_at]);
}

/// Drops what waits for a receiver.
pub(crate) fn forget<Q: Queue>(tx: &mut Tx<Tenant>, receiver: &str) {
    let delete = quiet_sql!(
        "goes with its receiver, whose change is recorded",
        "DELETE FROM deliveries WHERE tenant_id = $1 AND queue || '' = $2 AND receiver = $3 AND state = 'due'"
    );
    tx.later(delete, args![Q::QUEUE, receiver]);
}

/// How many deliveries wait for a receiver.
pub(crate) async fn count<Q: Queue>(tx: &mut Tx<Tenant>, receiver: &str) -> Result<i64> {
    let count = sql!(
        "SELECT COUNT(*) AS count FROM deliveries WHERE tenant_id = $1 AND queue || '' = $2 AND receiver = $3 \
         AND state = 'due'"
    );
    tx.one(count, args![Q::QUEUE, receiver]).await?.int("count")
}

/// Up to `limit` deliveries that a receiver may fetch, oldest first; of a paused receiver the notices alone.
pub(crate) async fn waiting<Q: Queue>(
    tx: &mut Tx<Tenant>,
    receiver: &str,
    is_paused: bool,
    limit: u32,
) -> Result<Vec<Delivery<Q>>> {
    let select = sql!(
        "SELECT tenant_id, id, receiver, is_notice, payload, failures, created_at FROM deliveries \
         WHERE tenant_id = $1 AND queue = $2 AND receiver = $3 AND state = 'due' AND (is_notice OR NOT $4) \
         ORDER BY happened_at, id LIMIT $5"
    );
    let rows = tx.all(select, args![Q::QUEUE, receiver, is_paused, limit]).await?;
    rows.iter().map(Delivery::of_row).collect()
}

/// Ends a delivery that its receiver has fetched, and taken or refused; whether it was still waiting.
pub(crate) async fn acknowledge<Q: Queue>(
    tx: &mut Tx<Tenant>,
    receiver: &str,
    id: Id<Q::Kind>,
    is_taken: bool,
) -> Result<bool> {
    let update = quiet_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET state = $5, payload = CASE WHEN $6 THEN payload ELSE '' END, due_at = NULL \
         WHERE tenant_id = $1 AND queue = $2 AND receiver = $3 AND id = $4 AND state = 'due'"
    );
    let state = if is_taken { "taken" } else { "failed" };
    Ok(tx.execute(update, args![Q::QUEUE, receiver, id, state, Q::KEEPS_PAYLOAD]).await? == 1)
}
