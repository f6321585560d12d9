//! Lists walked from the first page to the last: the depth of a page must not be its price.

use std::time::{Duration, Instant};

use hyper::StatusCode;
use serde_json::Value;

use super::{Fact, Meter};
use crate::Result;
use crate::bench::admin;
use crate::bench::form;
use crate::bench::http::{Call, Connection};
use crate::server::Server;

/// Pages that are averaged at each end.
const PAGES: usize = 20;

/// The applications and the people of the first tenant.
pub fn deep(server: &Server, meter: Meter) -> Result<Vec<Fact>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let applications = runtime.block_on(walk(server, "applications"))?;
    let people = runtime.block_on(walk(server, "tenant-users"))?;
    Ok(vec![
        Fact {
            what: "list of applications, first pages of 200, ms",
            value: mean(applications.iter()),
            wanted: "–",
        },
        Fact {
            what: "list of applications, last pages, ms",
            value: mean(applications.iter().rev()),
            wanted: "as the first",
        },
        Fact { what: "list of people, first pages of 200, ms", value: mean(people.iter()), wanted: "–" },
        Fact {
            what: "list of people, last pages, ms",
            value: mean(people.iter().rev()),
            wanted: "as the first",
        },
        Fact { what: "memory after both lists, MiB", value: meter.resident()?, wanted: "–" },
    ])
}

async fn walk(server: &Server, list: &str) -> Result<Vec<Duration>> {
    let mut http = Connection::new(server.port, &format!("localhost:{}", server.port));
    let authorization = admin::authorization(server, &mut http, None).await?;
    let first = format!("/api/v1/{list}?limit=200");
    let (mut path, mut times) = (first.clone(), Vec::new());
    loop {
        let started = Instant::now();
        let call = Call { path: &path, authorization: Some(&authorization), ..Call::default() };
        let reply = http.send(&call).await?;
        times.push(started.elapsed());
        let page = reply.json(StatusCode::OK)?;
        match page.get("next_cursor").and_then(Value::as_str) {
            Some(cursor) => path = format!("{first}&{}", form::encode([("cursor", cursor)])),
            None => return Ok(times),
        }
    }
}

fn mean<'a>(times: impl Iterator<Item = &'a Duration>) -> f64 {
    let times: Vec<f64> = times.take(PAGES).map(|time| time.as_secs_f64() * 1000.0).collect();
    times.iter().sum::<f64>() / f64::from(u32::try_from(times.len()).unwrap_or(1).max(1))
}
