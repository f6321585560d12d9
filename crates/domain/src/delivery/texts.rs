//! Outgoing text messages: number and text are sealed while they wait, because a code in them is as good as a password.

use serde::{Deserialize, Serialize};
use svc_core::{Cx, Result, TextId, TextKind, Timestamp};
use svc_db::{Tenant, Tx};
use svc_keys::keyring::{Cell, Sealed, Sealer};

use super::queue::{Delivery, New, Order, Queue, enqueue as queue};
use super::schedule::Schedule;

/// A text message to send.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewText {
    /// The number (E.164).
    pub to: String,
    /// The text.
    pub body: String,
}

/// A text message as it waits.
#[derive(Debug, Serialize, Deserialize)]
pub struct Text {
    content: Sealed<NewText>,
    /// When it has no point any more.
    until: Timestamp,
}

impl Text {
    /// Whether it has a point: an old code only costs.
    pub fn is_of_use(&self, now: Timestamp) -> bool {
        now < self.until
    }
}

impl Queue for Text {
    type Kind = TextKind;
    const QUEUE: &'static str = "sms";
    const SCHEDULE: Schedule = Schedule::HOURS;
    const ORDER: Order = Order::AsDue;
}

/// Queues a text message that is of use until then.
pub fn enqueue(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer, new: &NewText, until: Timestamp) -> Result<()> {
    let id: TextId = cx.id();
    let content = Sealed::new(new, &cell(&tx.tenant().to_string(), &id.to_string()), sealer, cx)?;
    queue(tx, &New::of(cx, id, Text { content, until }))
}

/// The message of a delivery; an error where it cannot be opened.
pub fn open(due: &Delivery<Text>, sealer: &Sealer) -> Result<NewText> {
    due.payload()?.content.open(&cell(&due.tenant.to_string(), &due.id.to_string()), sealer)
}

fn cell<'a>(tenant: &'a str, record: &'a str) -> Cell<'a> {
    Cell { table: Text::QUEUE, column: "content", tenant, record }
}
