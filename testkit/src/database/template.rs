//! The migrated database of PostgreSQL that tests copy, because a copy takes a tenth of the time of all migrations.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use svc_db::Db;
use svc_domain::MIGRATIONS;
use tokio::sync::OnceCell;
use tokio_postgres::NoTls;

use super::{ONE, settings, shared};

/// Where its tables are: a schema of their own, as the rights of roles are given by schema.
pub(super) const SCHEMA: &str = "svc";

/// Makes a database from the template.
pub(super) async fn copy(url: &str, name: &str) {
    static TEMPLATE: OnceCell<String> = OnceCell::const_new();
    let template = TEMPLATE.get_or_init(|| make(url)).await;
    // Files as they are, without each page in the log too; nothing writes to the template meanwhile.
    let copying = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY");
    shared::run(url, vec![copying]).await;
    // What tests share, such as a Redis, is divided by the id of the deployment.
    let own = format!("UPDATE {SCHEMA}.deployment SET id = CAST(gen_random_uuid() AS TEXT)");
    command(&beside(url, name), &own).await;
}

/// The address of another database of the same cluster.
pub(super) fn beside(url: &str, name: &str) -> String {
    let (place, query) = url.split_once('?').map_or((url, None), |(place, query)| (place, Some(query)));
    let (server, _) = place.rsplit_once('/').unwrap();
    query.map_or_else(|| format!("{server}/{name}"), |query| format!("{server}/{name}?{query}"))
}

/// Runs one statement by itself on a connection of its own.
async fn command(url: &str, text: &str) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute(text).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
}

/// Named after its migrations, so that the next test program finds it and one with other migrations makes another.
async fn make(url: &str) -> String {
    let mut hasher = DefaultHasher::new();
    for step in MIGRATIONS {
        (step.version, step.sql, step.pg).hash(&mut hasher);
    }
    let name = format!("svc_template_{:016x}", hasher.finish());
    // Test programs that run at once would make it twice.
    let alone = "SELECT pg_advisory_lock(6)";
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute(alone).await.unwrap();
    let found = client.query("SELECT 1 FROM pg_database WHERE datname = $1", &[&name]).await.unwrap();
    if found.is_empty() {
        let place = beside(url, &format!("{name}_unfinished"));
        client.batch_execute(&format!("DROP DATABASE IF EXISTS {name}_unfinished")).await.unwrap();
        client.batch_execute(&format!("CREATE DATABASE {name}_unfinished")).await.unwrap();
        command(&place, &format!("CREATE SCHEMA {SCHEMA}")).await;
        let db = Db::open(&place, &settings(ONE, Some(SCHEMA.to_owned()))).unwrap();
        db.migrate(MIGRATIONS).await.unwrap();
        db.close().await;
        client.batch_execute(&format!("ALTER DATABASE {name}_unfinished RENAME TO {name}")).await.unwrap();
    }
    drop(client);
    connection.await.unwrap().unwrap();
    name
}
