//! The nodes of the service under test: one, or with `SVC_TEST_NODES=2` two that take turns at answering requests.
//!
//! Two nodes share the database, the keyring and the clock, and nothing in memory, as two processes do. What they may
//! learn of each other late, by asking the database once a second, a node asks for before its turn: the tests see each
//! node at its best in that, and at its worst in all that must hold at once (single use, limits, sealed content).

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use svc_config::Config;
use svc_core::{Clock as _, Entropy, ManualClock, Timestamp};
use svc_http::{App, Edge, Extensions, Routes};
use svc_keys::{Keyring, Versions};
use svc_runtime::compose::{self, Ports};

use super::database::Database;

/// The running nodes.
pub struct Nodes {
    nodes: Vec<Node>,
    turn: AtomicUsize,
}

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
    pub keyring: &'a Keyring,
}

/// How many nodes this run tests with.
pub fn count() -> usize {
    let wanted = std::env::var("SVC_TEST_NODES").ok().filter(|text| !text.is_empty());
    wanted.map_or(1, |text| text.parse().expect("SVC_TEST_NODES is a number"))
}

/// The keyring as another process reads it from its file.
fn again(keyring: &Keyring) -> Versions {
    Versions::from_text(&keyring.versions().to_text().unwrap()).unwrap()
}

impl Nodes {
    /// Starts them one after the other, as a rolling start does.
    pub async fn start(count: usize, config: &Config, world: &World<'_>) -> Self {
        let mut nodes = Vec::new();
        for _ in 0..count {
            let ports = Ports {
                db: world.database.db.clone(),
                clock: world.clock.clone(),
                entropy: Arc::clone(&world.entropy),
                keyring: Keyring::new(again(world.keyring)),
                planes: Extensions::new(),
                routes: Routes::default(),
            };
            let edge = compose::compose(config.clone(), ports).await.unwrap();
            edge.app().readiness.open();
            nodes.push(Node { edge, synced_at: Mutex::new(world.clock.now()) });
        }
        Self { nodes, turn: AtomicUsize::new(0) }
    }

    /// The state of the first.
    pub fn first(&self) -> &App {
        self.nodes[0].edge.app()
    }

    /// The state of the first after it has asked for news, where there are others to learn from.
    pub async fn first_informed(&self) -> &App {
        if self.nodes.len() > 1 {
            self.nodes[0].sync().await;
        }
        self.first()
    }

    /// The state of each.
    pub fn apps(&self) -> impl Iterator<Item = &App> {
        self.nodes.iter().map(|node| node.edge.app())
    }

    /// The node whose turn it is.
    pub async fn next(&self) -> Edge {
        let turn = self.turn.fetch_add(1, Ordering::SeqCst);
        let node = &self.nodes[turn % self.nodes.len()];
        if self.nodes.len() > 1 {
            node.sync().await;
        }
        node.edge.clone()
    }
}

impl Node {
    /// What the job `sync` does once a second.
    async fn sync(&self) {
        let app = self.edge.app();
        let now = app.clock.now();
        let since = std::mem::replace(&mut *self.synced_at.lock().unwrap(), now);
        // A database that is away is the test's own doing, and is met by the request that follows.
        let _ = app.services.sync(&app.db, since, now).await;
    }
}
