//! One connection with the statements that it has prepared.

use std::collections::HashMap;
use std::error::Error as StdError;

use bytes::BytesMut;
use svc_core::{Error, Result};
use tokio::time::Instant;
use tokio_postgres::types::{IsNull, ToSql, Type};
use tokio_postgres::{Client, Statement};

use crate::call::Call;
use crate::error::of_pg;
use crate::value::Value;

pub(super) struct Connection {
    pub client: Client,
    pub born: Instant,
    pub rested: Instant,
    capacity: usize,
    prepared: HashMap<&'static str, Prepared>,
    uses: u64,
}

struct Prepared {
    statement: Statement,
    used: u64,
}

/// How a statement is sent: by its name on this connection, or as text where names are not kept.
pub(super) enum Ready {
    Named(Statement),
    Text,
}

impl Connection {
    pub fn new(client: Client, capacity: usize) -> Self {
        let now = Instant::now();
        Self { client, born: now, rested: now, capacity, prepared: HashMap::new(), uses: 0 }
    }

    /// Prepares what this connection has not seen yet, which costs a round trip once.
    pub async fn ready(&mut self, call: &Call) -> Result<Ready> {
        if self.capacity == 0 {
            return Ok(Ready::Text);
        }
        self.uses += 1;
        if let Some(known) = self.prepared.get_mut(call.text) {
            known.used = self.uses;
            return checked(known.statement.clone(), call);
        }
        let types: Vec<Type> = call.args.iter().map(Value::pg_type).collect();
        let statement = self.client.prepare_typed(call.text, &types).await.map_err(of_pg)?;
        if self.prepared.len() >= self.capacity
            && let Some(oldest) = self.prepared.iter().min_by_key(|(_, one)| one.used).map(|(text, _)| *text)
        {
            self.prepared.remove(oldest);
        }
        self.prepared.insert(call.text, Prepared { statement: statement.clone(), used: self.uses });
        checked(statement, call)
    }
}

fn checked(statement: Statement, call: &Call) -> Result<Ready> {
    if statement.params().len() == call.args.len() {
        return Ok(Ready::Named(statement));
    }
    let (wanted, given) = (statement.params().len(), call.args.len());
    Err(Error::internal(format!("a statement has {wanted} parameters and got {given}: {}", call.text)))
}

impl Value {
    pub(super) fn pg_type(&self) -> Type {
        match self {
            Self::Int(_) => Type::INT8,
            Self::Bool(_) => Type::BOOL,
            Self::Text(_) => Type::TEXT,
            Self::Bytes(_) => Type::BYTEA,
        }
    }
}

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Int(value) => value.to_sql(kind, out),
            Self::Bool(value) => value.to_sql(kind, out),
            Self::Text(value) => value.to_sql(kind, out),
            Self::Bytes(value) => value.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::BOOL, Type::TEXT, Type::BYTEA].contains(kind)
    }

    fn to_sql_checked(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        if self.pg_type() == *kind {
            return self.to_sql(kind, out);
        }
        Err(format!("a parameter of type {kind} was given {}", self.pg_type()).into())
    }
}
