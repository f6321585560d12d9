//! `svc-runtime`: serves one plane or all until SIGTERM or SIGINT, then lets requests in flight finish.

use std::net::SocketAddr;
use std::sync::Arc;

use svc_async::Mailer;
use svc_config::{Config, EmailProvider};
use svc_core::SystemClock;
use svc_db::{Db, SchemaState};
use svc_domain::tenancy::tenants;
use svc_http::{App, Edge, Extensions, Listener, Routes};
use svc_keys::{Keyring, SystemEntropy};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::compose::{self, Ports};
use crate::failure::Failure;
use crate::{database, keyring, preflight};

/// Serves the configured plane. Nothing listens before everything that can be wrong was looked at.
pub async fn run(config: Config) -> Result<(), Failure> {
    for warning in config.warnings() {
        tracing::warn!("{warning}");
    }
    let db = database::open(&config)?;
    let is_current = admit_schema(&db, &config).await?;
    let domains = tenants::custom_domains(&mut db.read_system().await?).await?;
    preflight::admit_domains(&config, domains.iter().map(String::as_str))?;
    database::check_deployment(&db, &config).await?;
    let keyring = keyring::open(&config, &db, keyring::may_create(&config)).await?;
    let mailer = Mailer::from_config(&config)?;
    let tenants = tenants::count(&mut db.read_system().await?).await?;
    if db.bypasses_row_security().await? {
        tracing::warn!(
            "the database role is a superuser or has BYPASSRLS, so that row-level security is off; connect as an ordinary role"
        );
    }
    let service = compose(config, db, keyring).await?;
    let app = service.app().clone();
    let listener = Listener::bind(&app.config).await?;
    introduce(&app, listener.address()?, tenants);
    // A newer schema is served, because it was migrated under us; but no new traffic should be sent to an old binary.
    if is_current {
        app.readiness.open();
    }
    serve(service, listener, mailer).await
}

/// Serves until the process is asked to stop; then background work ends too, and the database is closed.
pub async fn serve(service: Edge, listener: Listener, mailer: Mailer) -> Result<(), Failure> {
    let app = service.app().clone();
    app.metrics.install();
    let (stop, stopped) = watch::channel(false);
    let workers = tokio::spawn(work(app.clone(), mailer, until(stopped)));
    let signals = stop_signal()?;
    listener.serve(service, signals, database::span(app.config.server.shutdown_deadline_secs)).await;
    // Workers outlive the last request, because they write what requests left in memory.
    let _ = stop.send(true);
    let ended = workers.await.map_err(|error| Failure::new(format!("a background worker failed: {error}")));
    app.db.close().await;
    ended
}

/// What an operator wants to know of a process that begins to serve.
fn introduce(app: &App, address: SocketAddr, tenants: i64) {
    let config = &app.config;
    let mail = match config.email.provider {
        EmailProvider::Log => "standard output".to_owned(),
        EmailProvider::Smtp => config.email.smtp.host.clone().unwrap_or_default(),
    };
    let database = config.database_url(config.plane).map(ToString::to_string).unwrap_or_default();
    tracing::info!(
        version = env!("CARGO_PKG_VERSION"),
        %address,
        transport = %config.server.transport,
        plane = %config.plane,
        issuer = config.oidc.issuer_url.as_str(),
        engine = ?app.db.engine(),
        database,
        tenants,
        mail,
        keyring = config.keyring_path().map_or_else(|| "in memory".to_owned(), |path| path.display().to_string()),
        "listening"
    );
}

async fn compose(config: Config, db: Db, keyring: Keyring) -> Result<Edge, Failure> {
    let ports = Ports {
        db,
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
        keyring,
        planes: Extensions::new(),
        routes: Routes::default(),
    };
    Ok(compose::compose(config, ports).await?)
}

async fn work(app: App, mailer: Mailer, stop: impl Future<Output = ()> + Send) {
    svc_async::run(app, mailer, stop).await;
}

/// Whether the schema is this binary's own; a schema that cannot be served is a failure.
async fn admit_schema(db: &Db, config: &Config) -> Result<bool, Failure> {
    match database::schema_state(db, config).await? {
        SchemaState::Current => Ok(true),
        SchemaState::Behind { missing } => Err(Failure::new(format!(
            "the database lacks {missing} migration(s) of this version; run `svc-runtime --migrate-only` first"
        ))),
        SchemaState::Ahead { version } => {
            tracing::warn!(
                version,
                "a newer version has migrated the database; this one serves, but is not ready"
            );
            Ok(false)
        }
        SchemaState::Altered { version } => Err(Failure::new(format!(
            "migration {version} in the database differs from the one of this version; restore the released binary, or \
             the database"
        ))),
    }
}

/// Ends when the process is asked to.
fn stop_signal() -> Result<impl Future<Output = ()>, Failure> {
    let listen =
        |kind| signal(kind).map_err(|error| Failure::new(format!("signals cannot be received: {error}")));
    let (mut terminate, mut interrupt) = (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => tracing::info!("SIGTERM: finishing requests in flight"),
            _ = interrupt.recv() => tracing::info!("SIGINT: finishing requests in flight"),
        }
    })
}

async fn until(mut stopped: watch::Receiver<bool>) {
    // A sender that is gone means the same.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}
