//! `svc-runtime`: serves one plane or all until SIGTERM or SIGINT, then lets requests in flight finish.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use svc_async::Mailer;
use svc_config::{Config, EmailProvider};
use svc_core::SystemClock;
use svc_db::{Db, SchemaState};
use svc_domain::tenancy::tenants;
use svc_http::{App, Edge, Extensions, Listener, Routes};
use svc_keys::{Custody, SystemEntropy};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::compose::{self, Ports};
use crate::failure::Failure;
use crate::reload::{self, Configured, Reloads};
use crate::{database, keyring, preflight};

/// Serves the configured plane. Nothing listens before everything that can be wrong was looked at.
/// `file` is the configuration file that the command named; it is read again when `hangup` says so.
pub async fn run(config: Config, (file, hangup): (Option<PathBuf>, Signal)) -> Result<(), Failure> {
    for warning in config.warnings() {
        tracing::warn!("{warning}");
    }
    let db = database::open(&config)?;
    let is_current = admit_schema(&db, &config).await?;
    // In production every domain is admitted, and there may be many.
    if !config.security.production {
        let domains = tenants::custom_domains(&mut db.read_system().await?).await?;
        preflight::admit_domains(&config, domains.iter().map(String::as_str))?;
    }
    database::check_deployment(&db, &config).await?;
    let custody = keyring::open(&config, &db, keyring::may_create(&config)).await?;
    let mailer = Mailer::from_config(&config)?;
    let tenants = tenants::count(&mut db.read_system().await?).await?;
    let maintenance = database::open_for_maintenance(&config, &db)?;
    database::warn_of_roles(&config, &db, &maintenance).await?;
    let service = Box::pin(compose(config, (db, maintenance), custody)).await?;
    let app = service.app().clone();
    let listener = Listener::bind(&app.config, app.clock.now()).await?;
    introduce(&app, listener.address()?, tenants);
    // A newer schema is served, because it was migrated under us; but no new traffic should be sent to an old binary.
    if is_current {
        app.readiness.open();
    }
    let configured = Some(Configured { app: app.clone(), file });
    serve(service, listener, mailer, (configured, hangup)).await
}

/// Serves until the process is asked to stop; then background work ends too, and the database is closed. `hangup` has the
/// configuration of `configured` read again.
pub async fn serve(
    service: Edge,
    listener: Listener,
    mailer: Mailer,
    (configured, hangup): (Option<Configured>, Signal),
) -> Result<(), Failure> {
    let app = service.app().clone();
    app.metrics.install();
    let (stop, stopped) = watch::channel(false);
    let workers = tokio::spawn(work(app.clone(), mailer, until(stopped)));
    let (finish, finished) = watch::channel(false);
    let exporter = tokio::spawn(svc_http::export_telemetry(app.clone(), until(finished)));
    let signals = stop_signal()?;
    let reloads =
        Reloads { configured, certificates: listener.certificates(), clock: Arc::clone(&app.clock) };
    let hangups = tokio::spawn(reload::on_hangup(hangup, reloads));
    listener.serve(service, signals, database::span(app.config.server.shutdown_deadline_secs)).await;
    hangups.abort();
    // Workers outlive the last request, because they write what requests left in memory.
    let _ = stop.send(true);
    let ended = workers.await.map_err(|error| Failure::new(format!("a background worker failed: {error}")));
    let _ = finish.send(true);
    let _ = exporter.await;
    app.maintenance.close().await;
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
        keys = keyring::place(config),
        "listening"
    );
}

async fn compose(config: Config, (db, maintenance): (Db, Db), custody: Custody) -> Result<Edge, Failure> {
    let ports = Ports {
        db,
        maintenance,
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
        custody,
        planes: Extensions::new(),
        routes: Routes::default(),
    };
    Ok(Box::pin(compose::compose(config, ports)).await?)
}

async fn work(app: App, mailer: Mailer, stop: impl Future<Output = ()> + Send) {
    svc_async::run(app, mailer, stop).await;
}

/// Whether the schema is this binary's own; a schema that cannot be served is a failure.
async fn admit_schema(db: &Db, config: &Config) -> Result<bool, Failure> {
    match database::schema_state(db, config).await? {
        SchemaState::Current => Ok(true),
        SchemaState::Behind { missing } => Err(Failure::new(format!(
            "{}: the database lacks {missing} migration(s) of this version; run `svc-runtime --migrate-only` first",
            database::own_key(config)
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
