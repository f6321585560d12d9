//! One flight: everything is sent before the first answer is waited for.

use std::future::poll_fn;
use std::pin::Pin;

use futures_util::TryStreamExt as _;
use futures_util::future::{MaybeDone, maybe_done};
use tokio_postgres::{Client, Error};

use super::connection::Ready;
use crate::call::{Answer, Call};
use crate::row::Row;

type Part<'a> = Pin<Box<dyn Future<Output = Result<Option<Answer>, Error>> + Send + 'a>>;

/// What travels in one flight.
pub(super) struct Flight<'a> {
    /// Begins the transaction.
    pub head: Option<&'a str>,
    pub calls: &'a [Call],
    /// Ends it.
    pub tail: Option<&'static str>,
}

/// Sends the whole flight; returns the answers in order, or the first failure in order. The server skips what follows a failure,
/// because it is one transaction, and answers a `COMMIT` after it with a rollback.
pub(super) async fn fly(
    client: &Client,
    flight: &Flight<'_>,
    ready: Vec<Ready>,
) -> Result<Vec<Answer>, Error> {
    let mut parts: Vec<Part<'_>> = Vec::with_capacity(flight.calls.len() + 2);
    parts.extend(flight.head.map(|text| bare(client, text)));
    parts.extend(flight.calls.iter().zip(ready).map(|(call, ready)| statement(client, call, ready)));
    parts.extend(flight.tail.map(|text| bare(client, text)));
    let answers = together(parts).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(answers.into_iter().flatten().collect())
}

fn bare<'a>(client: &'a Client, text: &'a str) -> Part<'a> {
    Box::pin(async move { client.batch_execute(text).await.map(|()| None) })
}

fn statement<'a>(client: &'a Client, call: &'a Call, ready: Ready) -> Part<'a> {
    Box::pin(async move {
        let rows = match ready {
            Ready::Named(statement) => client.query_raw(&statement, &call.args).await?,
            Ready::Text => {
                let args = call.args.iter().map(|value| (value, value.pg_type()));
                client.query_typed_raw(call.text, args).await?
            }
        };
        let mut rows = std::pin::pin!(rows);
        let mut found = Vec::new();
        while let Some(row) = rows.try_next().await? {
            found.push(Row::Pg(row));
        }
        Ok(Some(Answer { rows: found, changed: rows.rows_affected().unwrap_or_default() }))
    })
}

/// Polls all parts in order until each is done: the driver sends a message when its future is first polled.
async fn together(parts: Vec<Part<'_>>) -> Vec<Result<Option<Answer>, Error>> {
    let mut parts: Vec<MaybeDone<Part<'_>>> = parts.into_iter().map(maybe_done).collect();
    poll_fn(|cx| {
        let pending = parts.iter_mut().filter_map(|part| Pin::new(part).poll(cx).is_pending().then_some(()));
        if pending.count() == 0 { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    parts.iter_mut().filter_map(|part| Pin::new(part).take_output()).collect()
}
