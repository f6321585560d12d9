//! The whole service in memory for one test: frozen clock, seeded entropy, captured mail, requests without a socket.
//!
//! SQLite in a temporary folder, or one schema of PostgreSQL per test where `SVC_TEST_DATABASE_URL` names a database.
//! With `SVC_TEST_NODES=2` every test runs against two nodes that take turns, with `SVC_TEST_NODES=planes` against a node for each
//! plane, and with `SVC_TEST_COORDINATION=redis` or
//! `memcached` they coordinate through a private server of that kind instead of the database.

mod answer;
pub mod browser;
pub mod client;
mod examples;
mod logs;
pub mod names;
mod nodes;
pub mod provider;
mod published;
pub mod publisher;
pub mod secrets;
mod site;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::stream;
use http_body_util::BodyExt as _;
use svc_async::{Inbox, InboxMail, InboxText, Mailer};
use svc_config::{Config, Plane};
use svc_core::settled::STEP;
use svc_core::{Actor, Clock as _, Cx, ManualClock, Seconds, SeededEntropy, Timestamp};
use svc_domain::apps::Rules;
use svc_http::{App, Body, Bytes, Peer, Request};
use svc_keys::Custody;
use svc_testkit::cluster::Cluster;
use tokio::sync::oneshot;

pub use answer::Answer;
pub use browser::Browser;
pub use client::{Client, Code};
pub use published::accepts;
pub use site::{Person, Site};
pub use svc_testkit::database;

use database::Database;
use logs::Logs;
use nodes::{Layout, Nodes, World};
use secrets::Secrets;

/// One service with its world.
pub struct Harness {
    nodes: Nodes,
    clock: Arc<ManualClock>,
    inbox: Arc<Inbox>,
    logs: Logs,
    secrets: Secrets,
    failed_jobs: AtomicU32,
    database: Arc<Database>,
}

/// When every test begins: 2027-01-15T08:00:00Z.
pub const START: Timestamp = Timestamp::from_secs(1_800_000_000);
/// The host of the default tenant; others live below it.
pub const HOST: &str = "id.test";

/// Small hashes for speed, no limits that many requests of one test would reach, no name server but those of this machine.
const SETTINGS: &str = r#"
[server]
base_domain = "id.test"
allowed_hosts = ["id.test", "*.id.test"]
endpoint_throttle = 0
[oidc]
issuer_url = "https://id.test"
[tenant]
default_tenant_slug = "main"
[auth]
argon2_memory_kib = 8192
argon2_iterations = 1
password_verify_ip_max_attempts = 100000
registration_rate_limit_max = 100000
[openapi]
enabled = true
[verified_domains]
resolvers = ["127.0.0.1:9"]
"#;

impl Harness {
    /// A service with the default settings and no tenant yet.
    pub async fn new() -> Self {
        Self::with(&[]).await
    }

    /// A service with some settings of its own, written like environment variables.
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        Self::on(nodes::layout(), settings, None).await
    }

    /// The same in one process: for tests of what a process remembers or counts for itself.
    pub async fn in_one_process(settings: &[(&str, &str)]) -> Self {
        Self::on(Layout::Alike(1), settings, None).await
    }

    /// The same with as many connections to the database as a process has: for tests in which one transaction waits for another.
    pub async fn pooled() -> Self {
        Self::on_database(Database::pooled().await, Layout::Alike(1), &configured(&[]), None).await
    }

    /// The same with keys that are held elsewhere.
    pub async fn over(custody: Custody, settings: &[(&str, &str)]) -> Self {
        Self::on(nodes::layout(), settings, Some(custody)).await
    }

    async fn on(layout: Layout, settings: &[(&str, &str)], custody: Option<Custody>) -> Self {
        let config = configured(settings);
        // A test that names a plane has a process of that plane.
        let layout = if config.plane == Plane::All { layout } else { Layout::Alike(1) };
        let database = match layout {
            Layout::Alike(_) => Database::fresh().await,
            Layout::Planes => Database::with_roles().await,
        };
        Self::on_database(database, layout, &config, custody).await
    }

    async fn on_database(
        database: Database,
        layout: Layout,
        config: &Config,
        custody: Option<Custody>,
    ) -> Self {
        let logs = Logs::capture();
        let (clock, inbox) = (Arc::new(ManualClock::new(START)), Arc::new(Inbox::default()));
        let entropy = Arc::new(SeededEntropy::new(seed_of_this_test()));
        let database = Arc::new(database);
        let custody = &custody.unwrap_or_else(|| svc_testkit::keyring(&*entropy, START).into());
        let world = World { database: &database, clock: Arc::clone(&clock), entropy, custody };
        let nodes = Box::pin(Nodes::start(layout, config, &world)).await;
        let (secrets, failed_jobs) = (Secrets::default(), AtomicU32::new(0));
        Self { nodes, clock, inbox, logs, secrets, failed_jobs, database }
    }

    /// The service after a restart: the same database, keyring and clock, nothing in memory. The tenants' sites are
    /// reached by `Site { harness: &restarted, ..site }`.
    pub async fn restarted(&self) -> Self {
        self.restarted_by(&self.app().config, &self.database).await
    }

    /// The same with settings of its own.
    pub async fn restarted_with(&self, settings: &[(&str, &str)]) -> Self {
        self.restarted_by(&configured(settings), &self.database).await
    }

    /// The same with its database on a copy of the server, which no other test writes to.
    pub async fn moved_to(&self, cluster: &Cluster, settings: &[(&str, &str)]) -> Self {
        let database = Arc::new(self.database.copied_to(cluster));
        self.restarted_by(&configured(settings), &database).await
    }

    async fn restarted_by(&self, config: &Config, database: &Arc<Database>) -> Self {
        let app = self.app();
        let world = World {
            database,
            clock: Arc::clone(&self.clock),
            entropy: Arc::clone(&app.entropy),
            custody: &app.services.custody,
        };
        let nodes = Box::pin(Nodes::start(self.nodes.layout(), config, &world)).await;
        Self {
            nodes,
            clock: Arc::clone(&self.clock),
            inbox: Arc::clone(&self.inbox),
            logs: Logs::capture(),
            secrets: Secrets::default(),
            failed_jobs: AtomicU32::new(0),
            database: Arc::clone(database),
        }
    }

    /// The database of this test.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// What applications are held to.
    pub fn rules(&self) -> &Rules {
        self.app().part().unwrap()
    }

    /// The state of the service; of the first node where there are two.
    pub fn app(&self) -> &App {
        self.nodes.first()
    }

    /// The state of each node.
    pub fn apps(&self) -> impl Iterator<Item = &App> {
        self.nodes.apps()
    }

    /// The state of the first node after it has learned what others did.
    pub async fn informed_app(&self) -> &App {
        self.nodes.first_informed().await
    }

    /// A new tenant at `https://<slug>.id.test`, or for `main` at `https://id.test`.
    pub async fn tenant(&self, slug: &str) -> Site<'_> {
        Site::create(self, slug).await
    }

    /// The context of an operator at this instant.
    pub fn operator(&self) -> Cx {
        self.app().cx("test", None).acting_as(Actor::Operator("test".to_owned()))
    }

    /// Lets time pass, which every node sees go by.
    pub fn advance(&self, seconds: i64) {
        let mut left = seconds;
        while left != 0 {
            let step = left.min(STEP.0);
            self.clock.advance(Seconds(step));
            for app in self.nodes.apps() {
                app.services.settled.look(self.clock.now());
            }
            left -= step;
        }
    }

    /// Sets the clock to another time at once.
    pub fn jump(&self, seconds: i64) {
        self.clock.advance(Seconds(seconds));
    }

    /// The service after its clock was ten years ahead for a while: jobs ran there, here and in a process that started
    /// there, which is the one returned.
    pub async fn jump_ahead_and_back(&self) -> Self {
        const AHEAD: i64 = 10 * 365 * 86_400;
        self.jump(AHEAD);
        self.run_jobs().await;
        let started_ahead = self.restarted().await;
        started_ahead.run_jobs().await;
        self.jump(-AHEAD);
        self.run_jobs().await;
        started_ahead.run_jobs().await;
        started_ahead
    }

    /// Runs every background job until nothing is left to do.
    pub async fn run_jobs(&self) {
        let mailer = Mailer::Inbox(Arc::clone(&self.inbox));
        for app in self.nodes.apps() {
            if let Err(error) = svc_async::run_all_once(app, &mailer).await {
                eprintln!("a job failed: {error:?}");
                self.failed_jobs.fetch_add(1, Ordering::SeqCst);
            }
        }
    }

    /// The mails that were sent, newest first; mail that is due is sent now.
    pub async fn mails(&self) -> Vec<InboxMail> {
        self.run_jobs().await;
        self.inbox.list()
    }

    /// The mail that was sent last; of several in one second the one that was queued last.
    pub async fn newest_mail(&self) -> InboxMail {
        let mails = self.mails().await.into_iter();
        mails.max_by_key(|mail| (mail.sent_at, mail.id)).expect("a mail")
    }

    /// The same of the mails to an address.
    pub async fn newest_mail_to(&self, to: &str) -> InboxMail {
        let mails = self.mails().await.into_iter().filter(|mail| mail.to == to);
        mails.max_by_key(|mail| (mail.sent_at, mail.id)).expect("a mail to the address")
    }

    /// The text messages that were sent, newest first; what is due is sent now.
    pub async fn texts(&self) -> Vec<InboxText> {
        self.run_jobs().await;
        self.inbox.texts()
    }

    /// Says that an `ERROR` log with this text is part of the test.
    pub fn expect_error(&self, text: &str) {
        self.logs.expect(text);
    }

    /// Sends a request as a client over TLS would, without a socket.
    pub async fn send(&self, request: Request) -> Answer {
        self.send_from("192.0.2.1", request).await
    }

    /// The same from another address.
    pub async fn send_from(&self, address: &str, request: Request) -> Answer {
        self.deliver(address, request, Body::from).await
    }

    /// Sends a request whose body comes in only once `meanwhile` is done, which begins when the body is waited for.
    pub async fn send_in_parts(&self, request: Request, meanwhile: impl Future<Output = ()>) -> Answer {
        let (begin, begun) = oneshot::channel();
        let (go, held) = oneshot::channel::<()>();
        let late = |body: Bytes| {
            Body::from_stream(stream::once(async move {
                let _ = begin.send(());
                let _ = held.await;
                Ok::<_, std::io::Error>(body)
            }))
        };
        let meanwhile = async {
            let _ = begun.await;
            meanwhile.await;
            let _ = go.send(());
        };
        tokio::join!(self.deliver("192.0.2.1", request, late), meanwhile).0
    }

    async fn deliver(
        &self,
        address: &str,
        request: Request,
        as_it_comes: impl FnOnce(Bytes) -> Body,
    ) -> Answer {
        let peer = Peer {
            address: SocketAddr::new(address.parse().unwrap(), 40_000),
            is_tls: true,
            certificate: None,
        };
        let (mut parts, body) = request.into_parts();
        parts.extensions.insert(peer);
        let body = body.collect().await.unwrap().to_bytes();
        let headers =
            parts.headers.iter().filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
        let headers: Vec<_> = headers.collect();
        self.secrets.sent(&parts.uri.to_string(), &headers, &String::from_utf8_lossy(&body));
        let (method, address) = (parts.method.clone(), parts.uri.path().to_owned());
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let request = Request::from_parts(parts, as_it_comes(body));
        let response = self.nodes.next(&address).await.serve(request).await;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let answer = Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        };
        self.secrets.received(&answer);
        if answer.header("content-encoding").is_empty() {
            published::check(method.as_str(), &address, &query, &answer);
        }
        answer
    }

    /// What our crates have logged so far, down to `debug`.
    pub fn log(&self) -> String {
        self.logs.ours()
    }

    /// GET on a host.
    pub async fn get(&self, host: &str, path: &str) -> Answer {
        self.send(Request::get(path).header("host", host).body(Body::empty()).unwrap()).await
    }
}

impl Drop for Harness {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let failed = *self.failed_jobs.get_mut();
        assert_eq!(failed, 0, "background jobs failed");
        let unexpected = self.logs.unexpected();
        assert!(
            unexpected.is_empty(),
            "errors were logged that the test did not expect:\n{}",
            unexpected.join("\n")
        );
        for link in self.inbox.list().iter().flat_map(|mail| &mail.links) {
            self.secrets.mailed(link);
        }
        let told = self.secrets.told_in(&self.logs.whole());
        assert!(told.is_empty(), "secrets are in the log:\n{}", told.join("\n"));
    }
}

fn configured(settings: &[(&str, &str)]) -> Config {
    let stray = settings.iter().find(|(name, _)| !name.starts_with("SVC_"));
    assert!(stray.is_none(), "{stray:?} is no environment variable of the service");
    let env: Vec<_> =
        settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let env = [env, nodes::coordination()].concat();
    Config::load(Some(("the harness", SETTINGS)), &env).unwrap_or_else(|faults| panic!("{faults}"))
}

/// Repeats from run to run, and differs from test to test: libtest names each thread after its test (FNV-1a).
fn seed_of_this_test() -> u64 {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("main").bytes();
    name.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
