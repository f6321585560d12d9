//! The migrated database of PostgreSQL that tests copy, because a copy takes a tenth of the time of all migrations.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use svc_db::Db;
use svc_domain::MIGRATIONS;
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;
use tokio_postgres::{Client, Error, NoTls};

use super::{ONE, settings, shared};

/// Where its tables are: a schema of their own, as the rights of roles are given by schema.
pub(super) const SCHEMA: &str = "svc";

/// Makes a database from a template.
pub(super) async fn copy(url: &str, template: &str, name: &str) {
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

/// The template with the present schema and nothing else, which is made when it is missing.
pub(super) async fn migrated(url: &str) -> &'static str {
    static NAME: OnceCell<String> = OnceCell::const_new();
    NAME.get_or_init(|| make(url)).await
}

/// Named after its migrations, so that the next test program finds it and one with other migrations makes another.
async fn make(url: &str) -> String {
    let mut hasher = DefaultHasher::new();
    for step in MIGRATIONS {
        (step.version, step.sql, step.pg).hash(&mut hasher);
    }
    let name = format!("svc_template_{:016x}", hasher.finish());
    let maker = Maker::alone(url).await;
    if maker.lacks(&name).await {
        let place = maker.begin(url, &name, "template1").await;
        command(&place, &format!("CREATE SCHEMA {SCHEMA}")).await;
        let db = Db::open(&place, &settings(ONE, Some(SCHEMA.to_owned()))).unwrap();
        db.migrate(MIGRATIONS).await.unwrap();
        db.close().await;
        maker.end(&name).await;
    }
    maker.leave().await;
    name
}

/// Makes templates while no other test program does: those that run at once would make them twice.
pub(super) struct Maker {
    client: Client,
    connection: JoinHandle<Result<(), Error>>,
}

impl Maker {
    /// Waits until the others have left.
    pub(super) async fn alone(url: &str) -> Self {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client.batch_execute("SELECT pg_advisory_lock(6)").await.unwrap();
        Self { client, connection }
    }

    /// Whether there is no template of this name.
    pub(super) async fn lacks(&self, name: &str) -> bool {
        let select = "SELECT 1 FROM pg_database WHERE datname = $1";
        self.client.query(select, &[&name]).await.unwrap().is_empty()
    }

    /// The address of a copy of `source`, which becomes the template at the end.
    pub(super) async fn begin(&self, url: &str, name: &str, source: &str) -> String {
        let unfinished = format!("{name}_unfinished");
        self.run(&format!("DROP DATABASE IF EXISTS {unfinished}")).await;
        self.run(&format!("CREATE DATABASE {unfinished} TEMPLATE {source}")).await;
        beside(url, &unfinished)
    }

    /// The template is complete, and no one is connected to it.
    pub(super) async fn end(&self, name: &str) {
        self.run(&format!("ALTER DATABASE {name}_unfinished RENAME TO {name}")).await;
    }

    /// Lets the others go on.
    pub(super) async fn leave(self) {
        drop(self.client);
        self.connection.await.unwrap().unwrap();
    }

    async fn run(&self, text: &str) {
        self.client.batch_execute(text).await.unwrap();
    }
}
