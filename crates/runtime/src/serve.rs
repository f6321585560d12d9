//! `svc-runtime`: serves one plane or all until SIGTERM or SIGINT, then lets requests in flight finish.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_async::Mailer;
use svc_config::{Config, EmailProvider};
use svc_core::SystemClock;
use svc_db::{Db, SchemaState};
use svc_domain::tenancy::tenants;
use svc_http::{App, Edge, Extensions, Listener, Routes};
use svc_keys::supervisor::Supervisor;
use svc_keys::{Custody, SystemEntropy};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::compose::{self, Ports};
use crate::failure::Failure;
use crate::reload::{self, Configured, Reloads};
use crate::{config_file, database, descriptors, keyring, kms, logging, preflight};

/// Serves the configured plane; `file` is the configuration file that the command named, which is read again when SIGHUP says so.
pub async fn run(file: Option<PathBuf>) -> Result<(), Failure> {
    // Before anything else: SIGHUP would end the process, and the first process of a container does not hear SIGTERM by itself.
    let (hangup, mut stop) = (reload::hangup()?, Stop::listened()?);
    let started = tokio::select! {
        () = stop.asked() => return Ok(()),
        started = Box::pin(start(file.as_deref())) => started?,
    };
    let (service, listener, mailer) = started;
    let configured = Some(Configured { app: service.app().clone(), file });
    let supervisor = Supervisor::from_environment();
    supervisor.ready();
    tokio::select! {
        ended = Box::pin(serve(service, listener, mailer, (configured, hangup, stop))) => ended,
        () = supervisor.keep_told() => Ok(()),
    }
}

/// Nothing listens before everything that can be wrong was looked at.
async fn start(file: Option<&Path>) -> Result<(Edge, Listener, Mailer), Failure> {
    let sources = config_file::sources(file)?;
    // A configuration that is refused whatever `svc-kms` answers does not wait for it.
    if let Ok(config) = sources.load_for_command()
        && preflight::may_wait(&config)
    {
        kms::awaited(&config).await;
    }
    let config = preflight::admit_to_serve(&sources.with_provisioned().await).await?;
    logging::start(&config, None);
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
    let app = service.app();
    let listener = Listener::bind(&app.config, app.clock.now()).await?;
    introduce(app, listener.address()?, tenants);
    // A newer schema is served, because it was migrated under us; but no new traffic should be sent to an old binary.
    if is_current {
        app.readiness.open();
    }
    Ok((service, listener, mailer))
}

/// Serves until the process is asked to stop; then background work ends too, and the database is closed. `hangup` has the
/// configuration of `configured` read again.
pub async fn serve(
    service: Edge,
    listener: Listener,
    mailer: Mailer,
    (configured, hangup, mut stop): (Option<Configured>, Signal, Stop),
) -> Result<(), Failure> {
    let app = service.app().clone();
    app.metrics.install();
    descriptors::raise();
    let (end, ended) = watch::channel(false);
    let workers = tokio::spawn(work(app.clone(), mailer, until(ended)));
    let (finish, finished) = watch::channel(false);
    let exporter = tokio::spawn(svc_http::export_telemetry(app.clone(), until(finished)));
    let reloads =
        Reloads { configured, certificates: listener.certificates(), clock: Arc::clone(&app.clock) };
    let hangups = tokio::spawn(reload::on_hangup(hangup, reloads));
    listener.serve(service, stop.asked(), database::span(app.config.server.shutdown_deadline_secs)).await;
    hangups.abort();
    // Workers outlive the last request, because they write what requests left in memory.
    let _ = end.send(true);
    let outcome = workers.await.map_err(|error| Failure::new(format!("a background worker failed: {error}")));
    let _ = finish.send(true);
    let _ = exporter.await;
    app.maintenance.close().await;
    app.db.close().await;
    outcome
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

/// The signals that ask the process to end.
pub struct Stop {
    terminate: Signal,
    interrupt: Signal,
}

impl Stop {
    /// Begins to listen for them.
    pub fn listened() -> Result<Self, Failure> {
        let listen =
            |kind| signal(kind).map_err(|error| Failure::new(format!("signals cannot be received: {error}")));
        Ok(Self { terminate: listen(SignalKind::terminate())?, interrupt: listen(SignalKind::interrupt())? })
    }

    /// Ends when the process is asked to.
    async fn asked(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => tracing::info!("SIGTERM: finishing requests in flight"),
            _ = self.interrupt.recv() => tracing::info!("SIGINT: finishing requests in flight"),
        }
    }
}

async fn until(mut stopped: watch::Receiver<bool>) {
    // A sender that is gone means the same.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}
