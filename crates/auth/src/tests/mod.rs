//! The hosted pages as a browser meets them: without a socket, on SQLite, with a frozen clock.

mod access;
mod account;
mod after_forms;
mod answer;
mod authorize;
mod ceremonies;
mod consent;
mod dead_ends;
mod leaving;
mod passkeys;
mod passkeys_account;
mod password;
mod recovery;
mod registration;
mod second_factor;
mod several_accounts;
mod sign_out;
mod trusted_browsers;

use std::collections::BTreeMap;
use std::sync::Arc;

use http_body_util::BodyExt as _;
use svc_config::Config;
use svc_core::{Actor, Clock as _, Cx, Seconds, Secret};
use svc_db::coordination::Coordination;
use svc_domain::Services;
use svc_domain::apps::{self, App as Application, Rules};
use svc_domain::claims::profile::Profile;
use svc_domain::delivery::mails::{self, Mail, NewMail};
use svc_domain::delivery::{self, Outcome};
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::tenant_users::{self, NewMember};
use svc_domain::tenancy::tenants::Tenant;
use svc_http::{App, Body, Edge, Extensions, Parts, Request, ServiceExt as _, StatusCode, header};
use svc_keys::Purpose;

use self::answer::Answer;
use crate::fixtures::{self, NOW, REDIRECT_URI};
use crate::pages::Pages;
use crate::{METHODS, Method, Methods};

const PASSWORD: &str = "correct horse battery staple";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A tenant with an application and a person: ada@example.com, also called ada.
struct World {
    app: App,
    edge: Edge,
    shop: Application,
    ground: svc_testkit::World,
    _templates: tempfile::TempDir,
}

/// A browser with its cookies.
struct Browser<'a> {
    world: &'a World,
    cookies: BTreeMap<String, String>,
    /// Sent with every request.
    headers: Vec<(&'static str, String)>,
}

impl World {
    async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// A world whose application is changed first.
    async fn with(change: impl FnOnce(&mut apps::Configuration)) -> Self {
        Self::made(change, METHODS, &[]).await
    }

    /// A world with methods of its own, and the templates of their parts.
    async fn made(
        change: impl FnOnce(&mut apps::Configuration),
        methods: &'static [&'static Method],
        templates: &[(&str, &str)],
    ) -> Self {
        Box::pin(Self::built(change, (methods, templates), &[])).await
    }

    /// A world with keys of the configuration set.
    async fn configured(keys: &[(&'static str, &str)]) -> Self {
        Box::pin(Self::built(|_| {}, (METHODS, &[]), keys)).await
    }

    async fn built(
        change: impl FnOnce(&mut apps::Configuration),
        (methods, templates): (&'static [&'static Method], &[(&str, &str)]),
        keys: &[(&'static str, &str)],
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in templates {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let world = svc_testkit::World::at(NOW).await;
        let config = config(keys);
        let services = world.services(&config).await;
        let shop = populate(&world, &services, change).await;
        let mut planes = Extensions::new();
        planes.insert(Arc::new(crate::ERROR_PAGES));
        planes.insert(Arc::new(Pages::load(Some(folder.path()), "en", &[]).unwrap()));
        planes.insert(Arc::new(rules()));
        planes.insert(Arc::new(Methods(methods)));
        let coordination = Coordination::database(world.db.clone());
        let (db, clock, entropy) = (world.db.clone(), world.clock.clone(), world.entropy.clone());
        let (maintenance, replica) = (db.clone(), None);
        let parts =
            Parts { config, db, maintenance, replica, clock, entropy, services, coordination, planes };
        let app = App::new(parts).unwrap();
        app.readiness.open();
        let edge = crate::routes().service(&app);
        Self { app, edge, shop, ground: world, _templates: folder }
    }

    fn browser(&self) -> Browser<'_> {
        Browser { world: self, cookies: BTreeMap::new(), headers: Vec::new() }
    }

    fn advance(&self, seconds: i64) {
        self.ground.clock.advance(Seconds(seconds));
    }

    async fn tenant(&self) -> Arc<Tenant> {
        self.app.services.tenants.at_host("localhost").await.unwrap()
    }

    /// The address of a sound request, with changes: an empty value takes a parameter away.
    fn authorize(&self, changes: &[(&str, &str)]) -> String {
        let client_id = self.shop.id.to_string();
        let sound = [
            ("client_id", client_id.as_str()),
            ("redirect_uri", REDIRECT_URI),
            ("response_type", "code"),
            ("scope", "openid profile"),
            ("state", "xyz"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        let unchanged = |(name, _): &(&str, &str)| !changes.iter().any(|(changed, _)| changed == name);
        let given = changes.iter().copied().filter(|(_, value)| !value.is_empty());
        crate::hosted::with_query("/oauth/authorize", sound.into_iter().filter(unchanged).chain(given))
    }

    /// Every mail that is due, which empties the queue.
    async fn mails(&self) -> Vec<NewMail> {
        let mut tx = self.app.db.begin_system().await.unwrap();
        let due = delivery::claim::<Mail>(&mut tx, self.ground.clock.now(), 100).await.unwrap();
        for mail in &due {
            delivery::settle(&mut tx, &fixtures::cx(self.ground.clock.now()), mail, Outcome::Taken);
        }
        tx.commit().await.unwrap();
        due.iter()
            .map(|due| {
                let sealer = self.app.services.sealers.held(due.tenant, Purpose::Messages).unwrap();
                mails::open(due, &sealer).unwrap()
            })
            .collect()
    }

    /// An account of the deployment, and where `is_member` says so a member here.
    async fn account(&self, email: &str, email_verified: bool, password: Option<&str>, is_member: bool) {
        let cx = Cx { actor: Actor::System("test"), ..fixtures::cx(self.ground.clock.now()) };
        let entropy = Arc::clone(&self.app.entropy);
        let cx = Cx { entropy: Arc::clone(&entropy), ..cx };
        let password = match password {
            Some(password) => Some(
                self.app.services.passwords.of(None).hash(&Secret::new(password), &*entropy).await.unwrap(),
            ),
            None => None,
        };
        let email = Some(Email::parse(email).unwrap());
        let new = NewAccount { email, email_verified, password, profile: Profile::default() };
        let mut tx = self.app.db.begin(self.tenant().await.id).await.unwrap();
        let account = accounts::create(&mut tx, &cx, &new).await.unwrap();
        if is_member {
            tenant_users::create(&mut tx, &cx, NewMember::of(account)).await.unwrap();
        }
        tx.commit().await.unwrap();
    }

    /// How many events of this type were emitted.
    async fn events(&self, event: &str) -> usize {
        let mut tx = self.app.db.read_system().await.unwrap();
        let select = svc_db::system_sql!("SELECT id FROM outbox WHERE type = $1");
        tx.all(select, svc_db::args![event]).await.unwrap().len()
    }
}

impl Browser<'_> {
    async fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, None).await
    }

    async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let form = crate::hosted::with_query("", fields.iter().copied());
        self.send("POST", path, Some(form.trim_start_matches('?').to_owned())).await
    }

    /// Sends a request; the page after a form has an address of its own, which is opened.
    async fn send(&mut self, method: &str, path: &str, form: Option<String>) -> Answer {
        let answer = self.exchange(method, path, form).await;
        match answer.header(header::LOCATION).to_owned() {
            page if page.starts_with("/auth/page?") => self.exchange("GET", &page, None).await,
            _ => answer,
        }
    }

    async fn exchange(&mut self, method: &str, path: &str, form: Option<String>) -> Answer {
        let jar: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, "localhost:8080");
        if !jar.is_empty() {
            request = request.header(header::COOKIE, jar.join("; "));
        }
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        if form.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        }
        let request = request.body(form.map_or_else(Body::empty, Body::from)).unwrap();
        let (parts, body) = self.world.edge.clone().oneshot(request).await.unwrap().into_parts();
        let body = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        let answer = Answer { status: parts.status, headers: parts.headers, body };
        self.keep(&answer);
        answer
    }

    fn keep(&mut self, answer: &Answer) {
        for cookie in answer.headers.get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            assert!(cookie.contains("; Path=/; HttpOnly; SameSite=Lax"), "{cookie}");
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    /// Opens the sign-in page of a request.
    async fn open(&mut self, changes: &[(&str, &str)]) -> Answer {
        let page = self.get(&self.world.authorize(changes)).await;
        page.is_page(200, "login-submit");
        page
    }

    /// Fills the sign-in form of a page.
    async fn fill(&mut self, page: &Answer, username: &str, password: &str) -> Answer {
        let fields = [("flow", page.flow()), ("username", username), ("password", password)];
        self.post("/auth/sign-in", &fields).await
    }

    /// Signs Ada in at an application that asks for nothing else.
    async fn sign_in(&mut self) -> Answer {
        let page = self.open(&[]).await;
        self.fill(&page, "ada", PASSWORD).await
    }

    fn session(&self) -> Option<&str> {
        self.cookies.get("svc_session").map(String::as_str)
    }
}

async fn populate(
    world: &svc_testkit::World,
    services: &Services,
    change: impl FnOnce(&mut apps::Configuration),
) -> Application {
    let main = world.tenant_with("main", |main| {
        "Acme".clone_into(&mut main.name);
        main.settings.registration = true;
        main.settings.impersonation.enabled = true;
    });
    let main = main.await;
    let mut configuration = fixtures::app().configuration;
    configuration.first_party = true;
    configuration.scope = "openid profile email offline_access".parse().unwrap();
    configuration.grant_types = vec!["authorization_code".to_owned(), "refresh_token".to_owned()];
    change(&mut configuration);
    let hash = services.passwords.of(None).hash(&Secret::new(PASSWORD), &*world.entropy).await.unwrap();
    let ada = world.person_with(main, "ada", |ada| {
        ada.password = Some(hash);
        ada.profile.name = Some("Ada Lovelace".to_owned());
    });
    ada.await;
    let secret = Some(svc_keys::digest("secret"));
    world.app_with(main, &rules(), "shop", apps::NewApp { configuration: &configuration, secret }).await
}

fn rules() -> Rules {
    Rules::new(crate::grant_types(), &[])
}

fn config(more: &[(&'static str, &str)]) -> Config {
    let keys = [
        ("SVC_TENANT__DEFAULT_TENANT_SLUG", "main"),
        ("SVC_SERVER__BASE_DOMAIN", "localhost"),
        ("SVC_AUTH__ARGON2_MEMORY_KIB", "64"),
        ("SVC_AUTH__ARGON2_ITERATIONS", "1"),
        ("SVC_AUTH__PASSWORD_VERIFY_IP_MAX_ATTEMPTS", "12"),
        ("SVC_AUTH__REGISTRATION_RATE_LIMIT_MAX", "4"),
    ];
    svc_testkit::config(&[&keys[..], more].concat())
}
