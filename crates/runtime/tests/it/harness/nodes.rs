//! The nodes of the service under test: one, or with `SVC_TEST_NODES=2` two that take turns at answering requests, or with
//! `SVC_TEST_NODES=planes` one for each plane, which works with the PostgreSQL role of its plane.
//!
//! Two nodes share the database, the keyring and the clock, and nothing in memory, as two processes do. What they may
//! learn of each other late, by asking the database once a second, a node asks for before its turn: the tests see each
//! node at its best in that, and at its worst in all that must hold at once (single use, limits, sealed content).

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use svc_config::{Config, Plane};
use svc_core::{Clock as _, Entropy, ManualClock, Seconds, Timestamp};
use svc_db::Db;
use svc_db::coordination::Once;
use svc_domain::access::Role;
use svc_http::{App, Edge, Extensions, Routes};
use svc_keys::{Custody, Keyring, Versions};
use svc_runtime::compose::{self, Ports};
use svc_testkit::servers::{Kind, Server};

use super::START;
use super::database::{Database, postgres_url};

/// The running nodes.
pub struct Nodes {
    layout: Layout,
    all: Vec<Node>,
    turn: AtomicUsize,
}

/// How nodes divide the work.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// So many that all do everything.
    Alike(usize),
    /// One of the owner, which takes no requests and runs no jobs, and one for each plane.
    Planes,
}

/// The nodes of [`Layout::Planes`] after the first, which is the owner's.
const PLANES: [(Plane, Role); 3] =
    [(Plane::Auth, Role::Auth), (Plane::Control, Role::Control), (Plane::Async, Role::Async)];

struct Node {
    edge: Edge,
    synced_at: Mutex<Timestamp>,
}

/// What nodes share.
pub struct World<'a> {
    pub database: &'a Database,
    pub clock: Arc<ManualClock>,
    /// Also shared, because a seed that two nodes begin with would give both the same ids.
    pub entropy: Arc<dyn Entropy>,
    pub custody: &'a Custody,
}

/// The nodes that this run tests with.
pub fn layout() -> Layout {
    match std::env::var("SVC_TEST_NODES").unwrap_or_default().as_str() {
        "" => Layout::Alike(1),
        "planes" => {
            assert!(postgres_url().is_some(), "SVC_TEST_NODES=planes needs SVC_TEST_DATABASE_URL");
            Layout::Planes
        }
        number => Layout::Alike(number.parse().expect("SVC_TEST_NODES is a number, or planes")),
    }
}

/// The plane that a proxy sends a path to: `docs/how-to/planes.md`, held by `it/planes.rs`.
fn plane_of(path: &str) -> Plane {
    let of_resources = path.starts_with("/api/v1/") && !path.starts_with("/api/v1/identity/");
    let of_decisions = path.starts_with("/access/v1/") || path == "/.well-known/authzen-configuration";
    let is_control = of_resources || of_decisions || path.starts_with("/scim/");
    if is_control || path == "/openapi.json" || path == "/" { Plane::Control } else { Plane::Auth }
}

/// The settings of the store that this run coordinates through, where it is not the database.
pub fn coordination() -> Vec<(String, String)> {
    let wanted = std::env::var("SVC_TEST_COORDINATION").unwrap_or_default();
    let store = match wanted.as_str() {
        "" => return Vec::new(),
        "redis" => ("SVC_REDIS__URL", format!("redis://127.0.0.1:{}", Server::shared(Kind::Redis))),
        "memcached" => ("SVC_MEMCACHED__ADDRESS", format!("127.0.0.1:{}", Server::shared(Kind::Memcached))),
        other => panic!("SVC_TEST_COORDINATION is redis or memcached, not {other}"),
    };
    // A copied SQLite file has the name of its template, and the tests would meet in the store.
    assert!(postgres_url().is_some(), "SVC_TEST_COORDINATION needs SVC_TEST_DATABASE_URL");
    [("SVC_DEPLOYMENT__COORDINATION_BACKEND", wanted), store]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
}

/// Redis calls a proof new only if it has held every note since before the proof could come: here for a day.
async fn has_held_its_notes(app: &App) {
    const DAY: Seconds = Seconds(86_400);
    let first = Once { key: "the first".to_owned(), since: START - DAY - DAY, until: START };
    if matches!(app.coordination.store(), Some(("redis", true))) {
        assert!(app.coordination.note(&first, START - DAY).await.is_err());
    }
}

/// The keys as another process has them: a keyring is read from its file.
fn again(custody: &Custody) -> Custody {
    match custody {
        Custody::Keyring(keyring) => {
            let text = keyring.versions().to_text().unwrap();
            Keyring::with(Versions::from_text(&text).unwrap(), keyring.signing_keys()).into()
        }
        Custody::Sidecar(sidecar) => Custody::Sidecar(sidecar.clone()),
    }
}

impl Nodes {
    /// Starts them one after the other, as a rolling start does.
    pub async fn start(layout: Layout, config: &Config, world: &World<'_>) -> Self {
        let mut nodes = Vec::new();
        match layout {
            Layout::Alike(count) => {
                for _ in 0..count {
                    let db = world.database.db.clone();
                    nodes.push(Box::pin(Node::start(config.clone(), (db.clone(), db), world)).await);
                }
            }
            Layout::Planes => {
                let maintenance = world.database.open_as(Role::Maintenance);
                let of_planes = PLANES.map(|(plane, role)| (plane, world.database.open_as(role)));
                for (plane, db) in [(Plane::All, world.database.db.clone())].into_iter().chain(of_planes) {
                    let mut config = config.clone();
                    config.plane = plane;
                    config.deployment.background_tasks_enabled = plane != Plane::All;
                    nodes.push(Box::pin(Node::start(config, (db, maintenance.clone()), world)).await);
                }
            }
        }
        Self { layout, all: nodes, turn: AtomicUsize::new(0) }
    }

    /// How they divide the work.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The state of the first.
    pub fn first(&self) -> &App {
        self.all[0].edge.app()
    }

    /// The state of the first after it has asked for news, where there are others to learn from.
    pub async fn first_informed(&self) -> &App {
        if self.all.len() > 1 {
            self.all[0].sync().await;
        }
        self.first()
    }

    /// The state of each.
    pub fn apps(&self) -> impl Iterator<Item = &App> {
        self.all.iter().map(|node| node.edge.app())
    }

    /// The node that a request for this path reaches.
    pub async fn next(&self, path: &str) -> Edge {
        let turn = self.turn.fetch_add(1, Ordering::SeqCst);
        let nth = match self.layout {
            Layout::Alike(count) => turn % count,
            Layout::Planes => 1 + PLANES.iter().position(|(plane, _)| *plane == plane_of(path)).unwrap(),
        };
        let node = &self.all[nth];
        if self.all.len() > 1 {
            node.sync().await;
        }
        node.edge.clone()
    }
}

impl Node {
    async fn start(config: Config, (db, maintenance): (Db, Db), world: &World<'_>) -> Self {
        let ports = Ports {
            db,
            maintenance,
            clock: world.clock.clone(),
            entropy: Arc::clone(&world.entropy),
            custody: again(world.custody),
            planes: Extensions::new(),
            routes: Routes::default(),
        };
        let edge = Box::pin(compose::compose(config, ports)).await.unwrap();
        edge.app().readiness.open();
        has_held_its_notes(edge.app()).await;
        Self { edge, synced_at: Mutex::new(world.clock.now()) }
    }

    /// What the job `sync` does once a second.
    async fn sync(&self) {
        let app = self.edge.app();
        let now = app.clock.now();
        let since = std::mem::replace(&mut *self.synced_at.lock().unwrap(), now);
        // A database that is away is the test's own doing, and is met by the request that follows.
        let _ = app.services.sync(&app.db, since, now).await;
    }
}
