//! Tokens for many applications of many tenants: each for the first time, then a few again and again, then looked at.

use std::time::{Duration, Instant};

use hyper::StatusCode;
use serde_json::Value;
use tokio::task::JoinSet;

use super::Fact;
use super::fill::Size;
use crate::Result;
use crate::bench::copies;
use crate::bench::flows::member;
use crate::bench::form;
use crate::bench::http::{Call, Connection};
use crate::bench::load::percentile;
use crate::bench::meter::{Cpu, Meter};
use crate::bench::seed::SECRET;
use crate::bench::target::basic;

const CONNECTIONS: usize = 16;
/// Tokens for each of the applications that come again.
const AGAIN: usize = 1_000;

/// The application of the demo that all others are copies of.
pub struct Crowd {
    id: String,
}

/// One request, to the tenant of that number; none is the demo's own.
struct Asked {
    number: Option<usize>,
    path: &'static str,
    authorization: String,
    form: String,
}

/// What a series of requests cost.
struct Cost {
    p50: f64,
    p99: f64,
    cpu: f64,
    answers: Vec<Answer>,
}

/// One answer, and how long it took.
struct Answer {
    number: Option<usize>,
    time: Duration,
    reply: Value,
}

impl Crowd {
    /// Finds it in the ready line.
    pub fn of(ready: &Value) -> Result<Self> {
        let mut clients = ready["clients"].as_array().into_iter().flatten();
        let client =
            clients.find(|client| client["handle"] == "bench-large").ok_or("the seed was not applied")?;
        Ok(Self { id: member(client, "client_id")?.to_owned() })
    }

    /// Tokens for each application of another tenant once, for 16 of them often, and the introspection of each of those.
    pub fn tokens(&self, port: u16, meter: Meter, size: Size) -> Result<Vec<Fact>> {
        let first = send(port, meter, (1..=size.tenants).map(|number| self.token(Some(number))).collect())?;
        let memory = meter.resident()?;
        let again = (0..CONNECTIONS * AGAIN).map(|turn| self.token(Some(1 + turn % CONNECTIONS))).collect();
        let again = send(port, meter, again)?;
        let once = send(port, meter, self.introspections(&again.answers)?)?;
        if once.answers.iter().any(|answer| answer.reply.get("active") != Some(&Value::Bool(true))) {
            return Err("a token that was just issued is not active".into());
        }
        let repeated = send(port, meter, self.introspections(&again.answers)?)?;
        Ok(vec![
            Fact { what: "first token of an application, p50 ms", value: first.p50, wanted: "–" },
            Fact { what: "first token of an application, p99 ms", value: first.p99, wanted: "–" },
            Fact {
                what: "first token of an application, CPU ms, database included",
                value: first.cpu,
                wanted: "–",
            },
            Fact {
                what: "memory after one token for an application of every tenant, MiB",
                value: memory,
                wanted: "–",
            },
            Fact { what: "later token, p50 ms", value: again.p50, wanted: "–" },
            Fact { what: "later token, CPU ms, database included", value: again.cpu, wanted: "–" },
            Fact {
                what: "introspection of each token once, per CPU second, database included",
                value: 1000.0 / once.cpu,
                wanted: "at least 9000",
            },
            Fact {
                what: "introspection of the same tokens again, per CPU second",
                value: 1000.0 / repeated.cpu,
                wanted: "–",
            },
        ])
    }

    /// CPU milliseconds of a token for the demo's own application, database included, after as many that do not count.
    pub fn of_demo(&self, port: u16, meter: Meter) -> Result<f64> {
        let tokens = || (0..CONNECTIONS * AGAIN).map(|_| self.token(None)).collect();
        send(port, meter, tokens())?;
        Ok(send(port, meter, tokens())?.cpu)
    }

    fn token(&self, number: Option<usize>) -> Asked {
        Asked {
            number,
            path: "/oauth/token",
            authorization: self.authorization(number),
            form: form::encode([("grant_type", "client_credentials")]),
        }
    }

    fn introspections(&self, answers: &[Answer]) -> Result<Vec<Asked>> {
        answers.iter().map(|answer| self.introspection(answer.number, &answer.reply)).collect()
    }

    fn introspection(&self, number: Option<usize>, reply: &Value) -> Result<Asked> {
        Ok(Asked {
            number,
            path: "/oauth/introspect",
            authorization: self.authorization(number),
            form: form::encode([("token", member(reply, "access_token")?)]),
        })
    }

    fn authorization(&self, number: Option<usize>) -> String {
        basic(&number.map_or_else(|| self.id.clone(), |number| copies::id(&self.id, number)), SECRET)
    }
}

/// Sends all of them over a few connections, and reads what that cost the server.
fn send(port: u16, meter: Meter, asked: Vec<Asked>) -> Result<Cost> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let count = asked.len();
    let mut shares: Vec<Vec<Asked>> = (0..CONNECTIONS).map(|_| Vec::new()).collect();
    for (turn, asked) in asked.into_iter().enumerate() {
        if let Some(share) = shares.get_mut(turn % CONNECTIONS) {
            share.push(asked);
        }
    }
    let before = meter.cpu()?;
    let answers = runtime.block_on(drive(port, shares))?;
    let after = meter.cpu()?;
    let mut times: Vec<Duration> = answers.iter().map(|answer| answer.time).collect();
    times.sort_unstable();
    Ok(Cost {
        p50: percentile(&times, 50),
        p99: percentile(&times, 99),
        cpu: used(before, after, count)?,
        answers,
    })
}

async fn drive(port: u16, shares: Vec<Vec<Asked>>) -> Result<Vec<Answer>> {
    let mut tasks: JoinSet<Result<Vec<Answer>>> = JoinSet::new();
    for share in shares {
        tasks.spawn(async move {
            let mut http = Connection::new(port, "localhost");
            let mut answers = Vec::with_capacity(share.len());
            for asked in share {
                let tenant = asked.number.map(|number| format!("demo-{number}.")).unwrap_or_default();
                http.turn_to(format!("{tenant}localhost:{port}"));
                let call = Call {
                    path: asked.path,
                    form: Some(asked.form),
                    authorization: Some(&asked.authorization),
                    ..Call::default()
                };
                let started = Instant::now();
                let reply = http.send(&call).await?.json(StatusCode::OK)?;
                answers.push(Answer { number: asked.number, time: started.elapsed(), reply });
            }
            Ok(answers)
        });
    }
    let mut answers = Vec::new();
    while let Some(finished) = tasks.join_next().await {
        answers.extend(finished??);
    }
    Ok(answers)
}

/// CPU milliseconds of one request, server and database together.
fn used(before: Cpu, after: Cpu, count: usize) -> Result<f64> {
    let seconds = after.server - before.server + after.database - before.database;
    Ok(seconds * 1000.0 / f64::from(u32::try_from(count)?).max(1.0))
}
