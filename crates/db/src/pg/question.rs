//! What is sent: the extended query protocol (PostgreSQL 15, §55.2.3). One `Sync` ends a flight.

use std::error::Error as StdError;
use std::io;

use bytes::BytesMut;
use postgres_protocol::IsNull as Nullness;
use postgres_protocol::message::frontend;
use tokio_postgres::types::{IsNull, ToSql as _, Type};

use crate::call::Call;
use crate::value::Value;

/// Room for what is received at once: the answers of most flights.
pub(super) const ROOM: usize = 8 * 1024;
/// Parameters and results travel in the binary format.
const BINARY: i16 = 1;

/// Has a statement prepared and its columns described; no name is a name that the next one takes over.
pub(super) fn prepare(name: &str, call: &Call, out: &mut BytesMut) -> io::Result<()> {
    let types = call.args.iter().map(|value| value.pg_type().oid());
    frontend::parse(name, call.text, types, out)?;
    frontend::describe(b'S', name, out)
}

/// Has a prepared statement run to its end.
pub(super) fn run(name: &str, call: &Call, out: &mut BytesMut) -> io::Result<()> {
    frontend::bind("", name, [BINARY], &call.args, write, [BINARY], out).map_err(|error| match error {
        frontend::BindError::Conversion(error) => io::Error::other(error),
        frontend::BindError::Serialization(error) => error,
    })?;
    frontend::execute("", 0, out)
}

fn write(value: &Value, out: &mut BytesMut) -> Result<Nullness, Box<dyn StdError + Sync + Send>> {
    let kind = value.pg_type();
    let written = match value {
        Value::Int(value) => value.to_sql(&kind, out),
        Value::Bool(value) => value.to_sql(&kind, out),
        Value::Text(value) => value.to_sql(&kind, out),
        Value::Bytes(value) => value.to_sql(&kind, out),
    };
    Ok(match written? {
        IsNull::Yes => Nullness::Yes,
        IsNull::No => Nullness::No,
    })
}

impl Value {
    fn pg_type(&self) -> Type {
        match self {
            Self::Int(_) => Type::INT8,
            Self::Bool(_) => Type::BOOL,
            Self::Text(_) => Type::TEXT,
            Self::Bytes(_) => Type::BYTEA,
        }
    }
}
