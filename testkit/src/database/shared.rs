//! Connections to the database that all tests share, kept from test to test: a new one costs PostgreSQL a fifth of what making a
//! database does.

use std::sync::{Mutex, OnceLock, PoisonError, mpsc};

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, Error, NoTls};

/// Those that no test uses at the moment; a run has one such database.
static IDLE: Mutex<Vec<Client>> = Mutex::new(Vec::new());

/// Runs statements one after another, each by itself, as those that make databases have to be.
pub(super) async fn run(url: &str, statements: Vec<String>) {
    runtime().spawn(execute(url.to_owned(), statements)).await.unwrap().unwrap();
}

/// The same for a test at its end, whose own runtime cannot be waited for from within.
pub(super) fn run_at_end(url: &str, statements: Vec<String>) -> Result<(), String> {
    let (done, outcome) = mpsc::channel();
    let work = execute(url.to_owned(), statements);
    runtime().spawn(async move {
        // Its receiver waits below.
        let _ = done.send(work.await);
    });
    let ended = outcome.recv().map_err(|error| error.to_string())?;
    ended.map_err(|error| format!("{error:?}"))
}

/// A connection that a statement has failed on is not kept.
async fn execute(url: String, statements: Vec<String>) -> Result<(), Error> {
    let client = match kept() {
        Some(client) => client,
        None => connected(&url).await?,
    };
    for statement in &statements {
        client.batch_execute(statement).await?;
    }
    idle().push(client);
    Ok(())
}

async fn connected(url: &str) -> Result<Client, Error> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

fn kept() -> Option<Client> {
    let mut idle = idle();
    idle.retain(|client| !client.is_closed());
    idle.pop()
}

fn idle() -> std::sync::MutexGuard<'static, Vec<Client>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Drives the connections, as the runtime of the test that has opened one ends before them.
fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap())
}
