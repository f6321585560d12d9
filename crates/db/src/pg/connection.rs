//! One connection: what is sent and received on it, and the statements that it has prepared.

use std::collections::HashMap;
use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker, ready};

use bytes::{Buf as _, BytesMut};
use postgres_protocol::message::backend::Message;
use postgres_protocol::message::frontend;
use tokio::io::{AsyncReadExt as _, AsyncWrite as _};
use tokio::time::Instant;

use super::answer::{Answering, Columns, Refusal};
use super::flight::{bare, depends_on_arguments, takes_some};
use super::question;
use super::wire::Wire;
use crate::call::{Answer, Call};

pub(super) struct Connection {
    wire: Wire,
    /// What is still to be sent.
    out: BytesMut,
    /// What was received and is still to be read.
    received: BytesMut,
    /// Flights whose end was not read yet.
    unanswered: usize,
    /// Whether the stream has failed or ended.
    is_lost: bool,
    stage: Stage,
    pub born: Instant,
    pub rested: Instant,
    statements: Statements,
}

/// What the server says of its transaction at the end of a flight.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Idle,
    /// A transaction that waits for its next statement, or for its end.
    Open,
}

/// What went wrong with a flight.
pub(super) enum Failure {
    /// The stream is gone, and with it the transaction. If the server said why, this is it.
    Lost(io::Error, Option<Refusal>),
    /// The server refused a statement.
    Refused(Refusal),
}

/// The prepared statements by their text.
struct Statements {
    capacity: usize,
    known: HashMap<&'static str, Prepared>,
    /// How many were ever named.
    named: u64,
    uses: u64,
}

struct Prepared {
    name: String,
    columns: Columns,
    /// When it was used last, in uses of all statements.
    used: u64,
    /// How often it was used.
    times: u64,
    /// After how many times it is prepared again.
    again: u64,
    /// Whether its plan is made for its arguments.
    depends_on_arguments: bool,
}

/// The server plans a statement at its first use and keeps the plan. While the tables are empty, any index that begins with the tenant
/// seems as good as the key. So a statement is prepared again after the first number of uses, and then each time after as many times
/// more as the second says.
const AGAIN: (u64, u64) = (32, 4);

impl Connection {
    pub fn new(wire: Wire, capacity: usize) -> Self {
        let now = Instant::now();
        let statements = Statements { capacity, known: HashMap::new(), named: 0, uses: 0 };
        let (out, received) = (BytesMut::new(), BytesMut::new());
        let (unanswered, is_lost, stage) = (0, false, Stage::Idle);
        Self { wire, out, received, unanswered, is_lost, stage, born: now, rested: now, statements }
    }

    /// Sends calls and reads their answers, in order. What follows a refused one is skipped by the server.
    pub async fn fly(&mut self, calls: &[&Call]) -> Result<Vec<Answer>, Failure> {
        self.settle().await.map_err(|error| Failure::Lost(error, None))?;
        let mut asked = Vec::with_capacity(calls.len());
        for call in calls {
            let known = self.statements.ask(call, &mut self.out);
            asked.push(known.map_err(|error| Failure::Lost(error, None))?);
        }
        self.end_flight();
        let mut answering = Answering::new(asked);
        loop {
            match self.next().await {
                Err(error) => return Err(Failure::Lost(error, answering.refusal())),
                Ok(Message::ReadyForQuery(_)) => break,
                Ok(message) => answering.take(message).map_err(|error| self.lost(error))?,
            }
        }
        for (text, columns) in answering.described() {
            self.statements.describe(text, columns);
        }
        answering.answers().map_err(Failure::Refused)
    }

    /// Whether the plan of a statement is made for its arguments; its text is looked through until it is prepared.
    pub fn depends_on_arguments(&self, text: &str) -> bool {
        let known = self.statements.known.get(text);
        known.map_or_else(|| depends_on_arguments(text), |known| known.depends_on_arguments)
    }

    /// Whether a transaction is open, or a flight not yet over.
    pub fn is_busy(&self) -> bool {
        self.stage == Stage::Open || self.unanswered > 0
    }

    /// Whether the server has ended the connection while it rested.
    pub fn is_over(&mut self) -> bool {
        let mut cx = Context::from_waker(Waker::noop());
        while !self.is_lost && self.poll_stream(&mut cx).is_ready() {}
        self.is_lost
    }

    /// Gives up the transaction without waiting for the server: what is asked next is answered after that.
    pub fn give_up(&mut self) {
        let rollback = bare("ROLLBACK");
        let asked = question::prepare("", &rollback, &mut self.out)
            .and_then(|()| question::run("", &rollback, &mut self.out));
        self.is_lost |= asked.is_err();
        self.end_flight();
        let _ = self.poll_stream(&mut Context::from_waker(Waker::noop()));
    }

    /// Reads the ends of flights whose answers were not awaited.
    pub async fn settle(&mut self) -> io::Result<()> {
        while self.unanswered > 0 {
            self.next().await?;
        }
        self.statements.forget_undescribed(&mut self.out)
    }

    fn end_flight(&mut self) {
        frontend::sync(&mut self.out);
        self.unanswered += 1;
    }

    fn lost(&mut self, error: io::Error) -> Failure {
        self.is_lost = true;
        Failure::Lost(error, None)
    }

    /// The next message, of those that belong to a flight.
    async fn next(&mut self) -> io::Result<Message> {
        loop {
            match Message::parse(&mut self.received) {
                Err(error) => {
                    self.is_lost = true;
                    return Err(error);
                }
                Ok(Some(Message::ReadyForQuery(end))) => {
                    self.unanswered = self.unanswered.saturating_sub(1);
                    self.stage = if end.status() == b'I' { Stage::Idle } else { Stage::Open };
                    return Ok(Message::ReadyForQuery(end));
                }
                Ok(Some(
                    Message::NoticeResponse(_)
                    | Message::ParameterStatus(_)
                    | Message::NotificationResponse(_),
                )) => {}
                Ok(Some(message)) => return Ok(message),
                Ok(None) => poll_fn(|cx| self.poll_stream(cx)).await?,
            }
        }
    }

    /// Sends what is left, and receives something. Both at once: a server whose answers are not taken stops reading.
    fn poll_stream(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let progress = self.poll_both(cx);
        if let Poll::Ready(Err(_)) = &progress {
            self.is_lost = true;
        }
        progress
    }

    fn poll_both(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut is_sent = false;
        while !self.out.is_empty() {
            match Pin::new(&mut self.wire).poll_write(cx, &self.out) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(sent)) => self.out.advance(sent),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => break,
            }
            is_sent = true;
        }
        if is_sent && let Poll::Ready(Err(error)) = Pin::new(&mut self.wire).poll_flush(cx) {
            return Poll::Ready(Err(error));
        }
        self.received.reserve(question::ROOM);
        let count = ready!(pin!(self.wire.read_buf(&mut self.received)).poll(cx))?;
        Poll::Ready(if count == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) })
    }
}

impl Drop for Connection {
    /// Sends the message that ends the connection, if the stream accepts it without waiting.
    fn drop(&mut self) {
        if !self.is_lost {
            frontend::terminate(&mut self.out);
            let _ = self.poll_stream(&mut Context::from_waker(Waker::noop()));
        }
    }
}

impl Prepared {
    /// Lets the server forget its plan and make another.
    fn prepare_again(&mut self, name: String, call: &Call, out: &mut BytesMut) -> io::Result<()> {
        frontend::close(b'S', &self.name, out)?;
        question::prepare(&name, call, out)?;
        (self.name, self.columns, self.again) = (name, Columns::default(), self.again * AGAIN.1);
        Ok(())
    }
}

impl Statements {
    /// Writes what asks for a statement, with its text where the server does not know it yet.
    fn ask(&mut self, call: &Call, out: &mut BytesMut) -> io::Result<(&'static str, Columns)> {
        self.uses += 1;
        if let Some(known) = self.known.get_mut(call.text) {
            (known.used, known.times) = (self.uses, known.times + 1);
            if known.times >= known.again {
                self.named += 1;
                known.prepare_again(format!("s{}", self.named), call, out)?;
            }
            question::run(&known.name, call, out)?;
            return Ok((call.text, known.columns.clone()));
        }
        // Planned while nothing waits, what takes some of it would compare each of those that it takes with all of them: it is planned
        // each time, which costs little next to what it takes.
        if self.capacity == 0 || takes_some(call.text) {
            question::prepare("", call, out)?;
            question::run("", call, out)?;
            return Ok((call.text, Columns::default()));
        }
        self.make_room(out)?;
        self.named += 1;
        let (name, columns) = (format!("s{}", self.named), Columns::default());
        question::prepare(&name, call, out)?;
        question::run(&name, call, out)?;
        let prepared = Prepared {
            name,
            columns: columns.clone(),
            used: self.uses,
            times: 1,
            again: AGAIN.0,
            depends_on_arguments: depends_on_arguments(call.text),
        };
        self.known.insert(call.text, prepared);
        Ok((call.text, columns))
    }

    /// Lets the server forget the statement that was not used for the longest time, if it is one too many.
    fn make_room(&mut self, out: &mut BytesMut) -> io::Result<()> {
        if self.known.len() < self.capacity {
            return Ok(());
        }
        let oldest = self.known.iter().min_by_key(|(_, one)| one.used).map(|(text, _)| *text);
        match oldest.and_then(|text| self.known.remove(text)) {
            Some(oldest) => frontend::close(b'S', &oldest.name, out),
            None => Ok(()),
        }
    }

    /// Lets the server forget statements whose description was not read.
    fn forget_undescribed(&mut self, out: &mut BytesMut) -> io::Result<()> {
        for (_, one) in self.known.extract_if(|_, one| !one.columns.are_known()) {
            frontend::close(b'S', &one.name, out)?;
        }
        Ok(())
    }

    /// Notes the columns of a statement that was new; nothing where the server refused it, or did not come to it.
    fn describe(&mut self, text: &'static str, columns: Option<Columns>) {
        let Some(columns) = columns else { return drop(self.known.remove(text)) };
        if let Some(known) = self.known.get_mut(text) {
            known.columns = columns;
        }
    }
}
