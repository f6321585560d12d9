//! What comes back: the rows of each statement of a flight, or the first refusal.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::message::backend::{
    CommandCompleteBody, DataRowBody, ErrorResponseBody, Message, RowDescriptionBody,
};
use tokio_postgres::types::{FromSqlOwned, Type};

use crate::call::Answer;
use crate::row::Row;

/// The columns of a statement, once the server has described them.
#[derive(Clone, Default)]
pub(super) struct Columns(Option<Arc<[Column]>>);

struct Column {
    name: String,
    kind: Type,
}

/// A row of PostgreSQL as it was received.
pub struct PgRow {
    columns: Columns,
    bytes: Bytes,
    values: Vec<Option<Range<usize>>>,
}

/// Reads the answers of a flight.
pub(super) struct Answering {
    asked: Vec<AwaitedStatement>,
    /// The statement that is being answered.
    at: usize,
    answers: Vec<Answer>,
    rows: Vec<Row>,
    refusal: Option<Refusal>,
}

struct AwaitedStatement {
    text: &'static str,
    columns: Columns,
    is_new: bool,
}

/// What the server said when it refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// SQLSTATE.
    pub code: String,
    message: String,
}

impl Answering {
    /// The statements of the flight, with their columns as far as they are known.
    pub fn new(asked: Vec<(&'static str, Columns)>) -> Self {
        let asked = asked.into_iter().map(|(text, columns)| AwaitedStatement {
            text,
            is_new: !columns.are_known(),
            columns,
        });
        let (asked, rows): (Vec<_>, _) = (asked.collect(), Vec::new());
        Self { at: 0, answers: Vec::with_capacity(asked.len()), asked, rows, refusal: None }
    }

    /// Takes a message of the flight.
    pub fn take(&mut self, message: Message) -> io::Result<()> {
        match message {
            Message::RowDescription(body) => self.describe(&Columns::read(&body)?),
            Message::NoData => self.describe(&Columns(Some(Arc::default()))),
            Message::DataRow(body) => {
                let columns = self.asked.get(self.at).map(|asked| asked.columns.clone());
                self.rows.push(Row::Pg(PgRow::read(columns.unwrap_or_default(), &body)?));
            }
            Message::CommandComplete(body) => self.complete(changed(&body)?),
            Message::EmptyQueryResponse => self.complete(0),
            Message::ErrorResponse(body) => self.refusal = Some(Refusal::read(&body)?),
            Message::ParseComplete
            | Message::ParameterDescription(_)
            | Message::BindComplete
            | Message::CloseComplete => {}
            _ => return Err(io::Error::other("PostgreSQL answered with another kind of message")),
        }
        Ok(())
    }

    /// A statement that stands in the flight again is described where it first stands.
    fn describe(&mut self, columns: &Columns) {
        let Some(text) = self.asked.get(self.at).map(|asked| asked.text) else { return };
        for asked in self.asked.iter_mut().filter(|asked| asked.text == text) {
            asked.columns = columns.clone();
        }
    }

    fn complete(&mut self, changed: u64) {
        self.answers.push(Answer { rows: std::mem::take(&mut self.rows), changed });
        self.at += 1;
    }

    /// The columns of statements that were new, as far as the server came to describe them.
    pub fn described(&self) -> impl Iterator<Item = (&'static str, Option<Columns>)> + '_ {
        let new = self.asked.iter().filter(|asked| asked.is_new);
        new.map(|asked| (asked.text, asked.columns.are_known().then(|| asked.columns.clone())))
    }

    /// What the server refused, if it did.
    pub fn refusal(self) -> Option<Refusal> {
        self.refusal
    }

    /// The answers in order, or the refusal.
    pub fn answers(self) -> Result<Vec<Answer>, Refusal> {
        self.refusal.map_or(Ok(self.answers), Err)
    }
}

/// The number at the end of a command's tag.
fn changed(body: &CommandCompleteBody) -> io::Result<u64> {
    let number = body.tag()?.rsplit(' ').next().and_then(|number| number.parse().ok());
    Ok(number.unwrap_or_default())
}

impl Columns {
    /// Whether the server has described them.
    pub fn are_known(&self) -> bool {
        self.0.is_some()
    }

    fn read(body: &RowDescriptionBody) -> io::Result<Self> {
        let columns = body.fields().map(|field| {
            let kind = Type::from_oid(field.type_oid()).unwrap_or(Type::UNKNOWN);
            Ok(Column { name: field.name().to_owned(), kind })
        });
        Ok(Self(Some(columns.collect::<Vec<_>>()?.into())))
    }
}

impl PgRow {
    fn read(columns: Columns, body: &DataRowBody) -> io::Result<Self> {
        Ok(Self { columns, bytes: body.buffer_bytes().clone(), values: body.ranges().collect()? })
    }

    /// The value of a column; an error says what is wrong with it.
    pub(crate) fn get<T: FromSqlOwned>(&self, column: &str) -> Result<Option<T>, String> {
        let columns = self.columns.0.as_deref().unwrap_or_default();
        let found = columns.iter().zip(&self.values).find(|(known, _)| known.name == column);
        let (Column { kind, .. }, range) = found.ok_or("there is no such column")?;
        if !T::accepts(kind) {
            return Err(format!("it is of type {kind}"));
        }
        let value = range.clone().and_then(|range| self.bytes.get(range));
        value.map(|value| T::from_sql(kind, value)).transpose().map_err(|error| error.to_string())
    }
}

impl Refusal {
    fn read(body: &ErrorResponseBody) -> io::Result<Self> {
        let (mut code, mut message) = (String::new(), String::new());
        let mut fields = body.fields();
        while let Some(field) = fields.next()? {
            let text = String::from_utf8_lossy(field.value_bytes());
            match field.type_() {
                b'C' => code = text.into_owned(),
                b'M' => message = text.into_owned(),
                b'n' => message = format!("{message} ({text})"),
                _ => {}
            }
        }
        Ok(Self { code, message })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (SQLSTATE {})", self.message, self.code)
    }
}

impl std::error::Error for Refusal {}
