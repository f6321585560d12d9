//! Puts the parts together: the routes of the planes that this process runs, behind one edge, over one database.

use std::sync::{Arc, OnceLock};

use svc_auth::pages::Pages;
use svc_auth::{ClientKeys, Providers};
use svc_config::Config;
use svc_core::{Actor, Clock, Cx, Entropy, Result};
use svc_db::Db;
use svc_domain::Services;
use svc_domain::apps::Rules;
use svc_http::{App, Describes, Description, Edge, Extensions, Parts, Routes};
use svc_keys::{Custody, PasswordParams, PasswordPool};

use crate::{coordination, database};

/// What differs between a server, a development server and a test.
pub struct Ports {
    /// The database, its schema current.
    pub db: Db,
    /// The same for maintenance.
    pub maintenance: Db,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Who holds the keys that it seals under, and wraps its signing keys with.
    pub custody: Custody,
    /// What further routes need, by type.
    pub planes: Extensions,
    /// Routes besides those of the planes.
    pub routes: Routes,
}

/// The whole service, not yet open for requests.
pub async fn compose(config: Config, ports: Ports) -> Result<Edge> {
    let Ports { db, maintenance, clock, entropy, custody, mut planes, routes } = ports;
    let cx = Cx {
        now: clock.now(),
        entropy: Arc::clone(&entropy),
        actor: Actor::System("start"),
        request_id: "start".to_owned(),
        client_ip: None,
    };
    planes.insert(Arc::new(pages(&config)?));
    planes.insert(Arc::new(ClientKeys::default()));
    planes.insert(Arc::new(Providers::default()));
    planes.insert(Arc::new(rules(&config)));
    planes.insert(Arc::new(svc_auth::ERROR_PAGES));
    planes.insert(Arc::new(svc_auth::LETTERS));
    planes.insert(Arc::new(svc_auth::NOTICES));
    planes.insert(Arc::new(svc_auth::pages::WORDING));
    if config.openapi.enabled {
        planes.insert(Arc::new(Describes(known_description)));
    }
    let replica = database::open_replica(&config)?;
    let coordination = coordination::open(&config, &db).await?;
    let services = Services::start(&db, &config, &cx, custody).await?;
    let routes = planes_of(&config).merge(routes);
    let app =
        App::new(Parts { config, db, maintenance, replica, clock, entropy, services, coordination, planes })?;
    Ok(routes.service(&app))
}

/// The hosted pages, with the templates and languages of the configuration.
pub fn pages(config: &Config) -> Result<Pages> {
    let i18n = &config.i18n;
    Pages::load(config.server.templates_dir.as_deref(), &i18n.default_locale, &i18n.supported)
}

/// What applications are held to.
pub fn rules(config: &Config) -> Rules {
    Rules::new(svc_auth::grant_types(), &config.oidc.registration_private_schemes)
}

/// The routes of the planes that the configuration names, and those that every process has.
pub fn planes_of(config: &Config) -> Routes {
    let mut routes = svc_http::operational_routes();
    if config.plane.serves_auth() {
        routes = routes.merge(svc_auth::routes());
        // The API reference stands at the same address, where it is offered.
        if !(config.plane.serves_control() && config.openapi.enabled) {
            routes = routes.merge(svc_auth::landing());
        }
    }
    if config.plane.serves_control() {
        routes = routes.merge(svc_control::routes());
        if config.openapi.enabled {
            routes = routes.merge(svc_control::openapi::routes()).merge(svc_auth::reference());
        }
    }
    routes
}

/// The description of every plane, whichever of them this process runs: callers see one service.
pub fn description() -> Result<Description> {
    let every = svc_http::operational_routes().merge(svc_auth::routes()).merge(svc_control::routes());
    let scopes = svc_control::scopes();
    let about = svc_control::openapi::about(env!("CARGO_PKG_VERSION"), &scopes);
    every.openapi(&about).with_examples(include_str!("examples.json"))
}

/// The description, made once for all services of a process: it depends on no configuration.
fn known_description() -> Result<&'static Description> {
    static KNOWN: OnceLock<Description> = OnceLock::new();
    if let Some(known) = KNOWN.get() {
        return Ok(known);
    }
    let made = description()?;
    Ok(KNOWN.get_or_init(|| made))
}

/// Password hashing as the configuration wants it, for commands that run without the service.
pub fn password_pool(config: &Config) -> Result<PasswordPool> {
    let auth = &config.auth;
    PasswordPool::new(PasswordParams {
        memory_kib: auth.argon2_memory_kib,
        iterations: auth.argon2_iterations,
        parallelism: auth.argon2_parallelism,
        max_concurrent: usize::try_from(auth.argon2_max_concurrent).unwrap_or(usize::MAX),
    })
}
