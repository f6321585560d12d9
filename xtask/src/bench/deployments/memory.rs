//! What 10,000 browser sessions and 1,000 idle connections take, and the size of a row of each table that grows.

use std::path::Path;

use tokio::task::JoinSet;

use super::fleet::{Fleet, Node};
use crate::bench::browser::Ask;
use crate::bench::flows::Worker;
use crate::bench::http::Jar;
use crate::bench::large::fill::{self, Size};
use crate::bench::subject::DATABASE;
use crate::bench::workload::Workload;
use crate::bench::{Options, idle};
use crate::postgres::Postgres;
use crate::{Result, process};

const CONNECTIONS: usize = 16;
const COOKIE: &str = "svc_session";

/// Copies of the session that was last begun, each with a cookie of its own: `number` with `A` before and after it, which is the
/// text of 32 bytes.
const COPIES: &str = "
CREATE TEMP TABLE original AS SELECT * FROM sessions ORDER BY created_at DESC LIMIT 1;
INSERT INTO sessions SELECT (jsonb_populate_record(original, jsonb_build_object(
    'id', substr(id, 1, length(id) - 8) || lpad(n::text, 8, '0'),
    'digest', '\\x' || encode(sha256((lpad(n::text, 42, 'A') || 'A')::bytea), 'hex')))).*
FROM original, generate_series(1, {sessions}) AS n;
ANALYZE sessions;
";

/// Tables by what a row of them is. Their rows are the benchmark's own.
const TABLES: [(&str, &str); 9] = [
    ("accounts", "account"),
    ("tenant_users", "user of a tenant"),
    ("apps", "application"),
    ("sessions", "session"),
    ("codes", "code"),
    ("refresh_families", "family of refresh tokens"),
    ("refresh_tokens", "refresh token"),
    ("audit_log", "entry of the audit log"),
    ("events", "event"),
];

/// One fact, with its unit in its name.
pub struct Fact {
    /// What was measured.
    pub what: String,
    /// The number.
    pub value: f64,
}

/// Measures on the first server, and connections on the one with TLS too.
pub fn measure(fleet: &Fleet, postgres: &Postgres, options: &Options) -> Result<Vec<Fact>> {
    let node = fleet.first()?;
    let mut facts = sessions(node, postgres, if options.quick { 500 } else { 10_000 })?;
    for (way, node) in [("", node), (" of HTTP/2 over TLS", fleet.secured())] {
        let each = idle::connection(&node.target, node.meter(false))?;
        facts.push(Fact { what: format!("1,000 idle connections{way}, MiB"), value: each * 1000.0 / 1024.0 });
    }
    facts.extend(rows(postgres)?);
    Ok(facts)
}

/// The bytes of a row with its share of the indexes. People and applications are added first, because there are too few to see.
fn rows(postgres: &Postgres) -> Result<Vec<Fact>> {
    fill::fill(Path::new(""), Some(postgres), Size::SMALL)?;
    let each = TABLES.iter().map(|(table, row)| {
        let counted = format!(
            "SELECT COALESCE((SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('{table}')), \
             pg_total_relation_size('{table}')) / count(*)::float8 FROM {table} HAVING count(*) > 0"
        );
        let bytes = as_superuser(postgres, &counted)?;
        let value = bytes.trim().parse().map_err(|_| format!("{table} has no rows"))?;
        Ok(Fact { what: format!("bytes of a row in the database: {row}"), value })
    });
    each.collect()
}

/// Each session is used once, after as many codes by one session alone: what these leave behind is not counted.
fn sessions(node: &Node, postgres: &Postgres, count: usize) -> Result<Vec<Fact>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut jar = Jar::default();
    runtime.block_on(async {
        let mut crew = Worker::crew(&node.target, Workload::Discovery, 1).await?;
        let first = crew.first_mut().ok_or("there is no worker to sign in")?;
        first.code_flow(Ask::of(&node.target.public), &mut jar).await
    })?;
    let before = size(postgres)?;
    copy(postgres, count)?;
    let on_disk = size(postgres)? - before;
    runtime.block_on(codes(node, (0..count).map(|_| jar.clone()).collect()))?;
    let meter = node.meter(false);
    let before = meter.resident()?;
    let jars = (1..=count).map(|number| jar.with(COOKIE, &format!("{number:A>42}A")));
    runtime.block_on(codes(node, jars.collect()))?;
    let grown = meter.resident()? - before;
    Ok(vec![
        Fact { what: format!("{count} sessions, each used once, MiB of memory"), value: grown },
        Fact { what: format!("{count} sessions, MiB in the database"), value: on_disk / 1_048_576.0 },
    ])
}

/// A code and its tokens by each of the sessions.
async fn codes(node: &Node, jars: Vec<Jar>) -> Result<()> {
    let mut tasks: JoinSet<Result<()>> = JoinSet::new();
    let crew = Worker::crew(&node.target, Workload::Discovery, CONNECTIONS).await?;
    let share = jars.len().div_ceil(CONNECTIONS);
    for (mut worker, jars) in crew.into_iter().zip(jars.chunks(share)) {
        let (target, jars) = (node.target.clone(), jars.to_vec());
        tasks.spawn(async move {
            for mut jar in jars {
                worker.code_flow(Ask::silently(&target.public), &mut jar).await?;
            }
            Ok(())
        });
    }
    while let Some(finished) = tasks.join_next().await {
        finished??;
    }
    Ok(())
}

fn copy(postgres: &Postgres, count: usize) -> Result<()> {
    as_superuser(postgres, &COPIES.replace("{sessions}", &count.to_string())).map(drop)
}

/// The bytes of the table with its indexes.
fn size(postgres: &Postgres) -> Result<f64> {
    Ok(as_superuser(postgres, "SELECT pg_total_relation_size('sessions')")?.trim().parse()?)
}

/// Row-level security binds every other role to one tenant.
fn as_superuser(postgres: &Postgres, text: &str) -> Result<String> {
    let mut psql = postgres.client("psql", DATABASE);
    process::output(psql.env("PGUSER", "postgres").args([
        "-X",
        "-q",
        "-A",
        "-t",
        "-v",
        "ON_ERROR_STOP=1",
        "-c",
        text,
    ]))
}
