//! What a kept-alive connection costs a server while nothing is asked on it: resident memory before and after many are opened.

use std::time::Duration;

use hyper::StatusCode;

use super::http::{Call, Connection};
use super::meter::Meter;
use super::target::Target;
use crate::Result;

/// Connections that rest; few enough for the usual limit of open files.
const CONNECTIONS: u32 = 500;
/// Connections whose requests come before the first look, so that what a first request makes once is not counted.
const FIRST: u32 = 32;
/// How long the server is left alone before each look.
const REST: Duration = Duration::from_secs(1);

/// Resident KiB of each connection on which one request was answered and no other follows.
pub fn connection(target: &Target, meter: Meter) -> Result<f64> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let first = opened(target, FIRST).await?;
        tokio::time::sleep(REST).await;
        let before = meter.resident()?;
        let resting = opened(target, CONNECTIONS).await?;
        tokio::time::sleep(REST).await;
        let grown = meter.resident()? - before;
        drop((first, resting));
        Ok(grown * 1024.0 / f64::from(CONNECTIONS))
    })
}

async fn opened(target: &Target, count: u32) -> Result<Vec<Connection>> {
    let mut open = Vec::new();
    for _ in 0..count {
        let mut connection = Connection::new(target.port, &target.authority).secured(target.tls.clone());
        let call = Call { path: &target.paths.jwks, ..Call::default() };
        connection.send(&call).await?.expect(StatusCode::OK)?;
        open.push(connection);
    }
    Ok(open)
}
