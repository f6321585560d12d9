//! What the log tells: who serves what, and for each refused request where to look.

use std::fs::File;
use std::net::SocketAddr;

use serde_json::Value;
use svc_db::SystemSql;

use super::{Place, Service, eventually, exchange, get, parsed, request};

const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

impl Service {
    /// The first line that holds every text, once it is there.
    pub(super) async fn line(&self, texts: &[&str]) -> String {
        let find = || {
            self.log().lines().find(|line| texts.iter().all(|text| line.contains(text))).map(str::to_owned)
        };
        eventually(&format!("{texts:?} in {}", self.log()), || async { find().is_some() }).await;
        find().unwrap()
    }
}

impl Place {
    /// The column `text` of what a statement selects.
    async fn texts(&self, select: &'static str) -> Vec<String> {
        let mut tx = self.database.db.read_system().await.unwrap();
        let rows = tx.all(SystemSql::new(select), &[]).await.unwrap();
        rows.iter().map(|row| row.text("text").unwrap()).collect()
    }
}

#[tokio::test]
async fn the_start_says_what_serves_where() {
    let place = Place::populated().await;
    let service = place.serve().await;
    let line = service.line(&["listening"]).await;
    let engine = if place.database.url.starts_with("sqlite:") { "engine=Sqlite" } else { "engine=Postgres" };
    let issuer = format!("issuer=\"http://localhost:{}\"", place.port);
    for text in [
        "version=\"",
        &issuer,
        engine,
        "tenants=1",
        "mail=\"standard output\"",
        "transport=plain_http",
        "plane=all",
    ] {
        assert!(line.contains(text), "{text}: {line}");
    }
}

#[tokio::test]
async fn a_filter_of_the_environment_that_is_empty_hides_nothing() {
    let mut place = Place::populated().await;
    place.settings.push(("RUST_LOG".to_owned(), String::new()));
    let service = place.serve().await;
    service.line(&["INFO", "listening"]).await;
}

#[tokio::test]
async fn a_role_that_row_level_security_does_not_bind_is_warned_of() {
    const WARNING: &str = "row-level security is off";
    let mut place = Place::populated().await;
    let service = place.serve().await;
    service.line(&["listening"]).await;
    assert!(!service.log().contains(WARNING), "{}", service.log());
    drop(service);
    // The server of the tests trusts its superuser without a password; SQLite has no roles.
    let superuser = place.database.url.replacen("svc:svc@", "postgres@", 1);
    if superuser != place.database.url {
        for (variable, key) in [("MAINTENANCE_DATABASE_URL", "maintenance_url"), ("DATABASE_URL", "url")] {
            place.set(variable, &superuser);
            let service = place.serve().await;
            let line = service.line(&[WARNING, &format!("key=\"database.{key}\"")]).await;
            assert!(line.contains("WARN"), "{line}");
        }
    }
}

#[tokio::test]
async fn a_refused_request_is_one_line_with_its_cause_and_request_id() {
    let place = Place::populated().await;
    let service = place.serve().await;
    let address = service.address;
    let fields = "grant_type=client_credentials&client_id=app_none&client_secret=canary-secret";
    let refused = request(address, "POST /oauth/token", &[FORM], fields).await.unwrap().expect(401);
    let id = refused.header("x-request-id").to_owned();
    let line = service.line(&["path=\"/oauth/token\"", &id]).await;
    for text in ["INFO", "method=\"POST\"", "status=401", "client=\"127.0.0.1\"", "error=\"invalid_client: "]
    {
        assert!(line.contains(text), "{text}: {line}");
    }
    let page = get(address, "/oauth/authorize?client_id=app_none&state=canary-state").await.unwrap();
    let line = service.line(&["path=\"/oauth/authorize\"", page.header("x-request-id")]).await;
    assert!(line.contains("status=400") && line.contains("error=\""), "{line}");
    let foreign = b"GET / HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n";
    let _ = parsed(&exchange(address, foreign).await.unwrap()).unwrap().expect(421);
    assert!(service.line(&["status=421"]).await.contains("server.allowed_hosts"));
    let log = service.log();
    assert!(!log.contains("canary"), "{log}");
    assert!(!log.contains("path=\"/health/live\""), "what is answered is not told at info: {log}");
}

#[tokio::test]
async fn a_log_that_cannot_be_written_is_no_reason_to_refuse_or_to_end() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let place = Place::populated().await;
    // Every write to it fails as one to a full disk does.
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let process = place.command(&[]).stdout(full()).stderr(full()).spawn().unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], place.port));
    let mut service = Service { process, address, log: place.folder.path().join("none") };
    service.answers().await;
    let fields = "grant_type=client_credentials&client_id=app_none&client_secret=canary-secret";
    let _ = request(address, "POST /oauth/token", &[FORM], fields).await.unwrap().expect(401);
    let mut ada = place.ada(address).await;
    let token = ada.refresh_token().await;
    let _ = ada.refresh(&token).await.unwrap().expect(200);
    // Mails go to the same standard output.
    let known = place.visitor(address).await.forget("ada").await;
    let unknown = place.visitor(address).await.forget("eve").await;
    assert!(known.status < 400 && known.status == unknown.status, "{known:?} {unknown:?}");
    eventually("a mail was tried that waits", async || {
        let waiting = "SELECT id AS text FROM deliveries WHERE queue = 'mails' AND failures > 0";
        !place.texts(waiting).await.is_empty()
    })
    .await;
    let _ = get(address, "/health/ready").await.unwrap().expect(200);
    assert!(service.process.try_wait().unwrap().is_none(), "it ended");
}

#[tokio::test]
async fn json_lines_have_the_same_members() {
    let mut place = Place::populated().await;
    place.set("SVC_TELEMETRY__LOG_FORMAT", "json");
    let service = place.serve().await;
    let refused = request(service.address, "POST /oauth/token", &[FORM], "client_id=app_none").await.unwrap();
    let line: Value = serde_json::from_str(&service.line(&["/oauth/token"]).await).unwrap();
    assert_eq!(line["level"], "INFO");
    assert_eq!(line["message"], "request");
    assert_eq!(line["method"], "POST");
    assert_eq!(line["path"], "/oauth/token");
    assert_eq!(line["status"], refused.status);
    assert_eq!(line["client"], "127.0.0.1");
    assert_eq!(line["request_id"], refused.header("x-request-id"));
    assert!(!line["error"].as_str().unwrap().is_empty() && line["millis"].is_u64(), "{line}");
    // A key of the deployment is no tenant's: there is no member that says so in words of the program.
    let made: Value = serde_json::from_str(&service.line(&["a signing key was made"]).await).unwrap();
    assert!(made["kid"].is_string() && made.get("tenant").is_none(), "{made}");
}

#[tokio::test]
async fn dev_tells_every_request_and_nothing_of_its_libraries() {
    let mut place = Place::empty().await;
    for name in ["SVC_OIDC__ISSUER_URL", "SVC_SERVER__PORT", "SVC_TENANT__DEFAULT_TENANT_SLUG"] {
        place.set(name, "");
    }
    let service = place.serve_by(&["dev", "--port", &place.port.to_string()]).await;
    let found = get(service.address, "/.well-known/openid-configuration").await.unwrap().expect(200);
    let line = service.line(&["path=\"/.well-known/openid-configuration\""]).await;
    for text in ["method=\"GET\"", "status=200", "error=\"\"", found.header("x-request-id")] {
        assert!(line.contains(text), "{text}: {line}");
    }
    let log = service.log();
    for library in ["tokio_postgres", "hyper", "rustls", "h2::"] {
        assert!(!log.contains(library), "{library}: {log}");
    }
}

#[tokio::test]
async fn the_commands_that_dev_prints_make_an_application() {
    let mut place = Place::empty().await;
    for name in ["SVC_OIDC__ISSUER_URL", "SVC_SERVER__PORT", "SVC_TENANT__DEFAULT_TENANT_SLUG"] {
        place.set(name, "");
    }
    let service = place.serve_by(&["dev", "--port", &place.port.to_string()]).await;
    let printed = || std::fs::read_to_string(place.folder.path().join("serve.out")).unwrap();
    eventually("the instructions", || async { printed().contains("Data is kept in") }).await;
    let text = printed();
    let words: Vec<_> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("Tenant demo tnt_"), "{text}");
    assert!(text.contains("http://127.0.0.1:8765/callback"), "{text}");
    let start = text.find("TOKEN=$(").unwrap();
    let script = text[start..].split("\n\n").next().unwrap();
    let run = std::process::Command::new("sh").args(["-c", &format!("{script} -s")]).output();
    let answer = String::from_utf8(run.unwrap().stdout).unwrap();
    let made: Value =
        serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{answer}\n{script}\n{}", service.log()));
    assert_eq!(made["name"], "My application", "{made}");
    assert_eq!(made["redirect_uris"][0], "http://localhost:5173/callback");
}

#[tokio::test]
async fn a_file_of_the_demo_tenant_and_the_demo_do_not_overwrite_each_other() {
    let mut place = Place::empty().await;
    for name in ["SVC_OIDC__ISSUER_URL", "SVC_SERVER__PORT", "SVC_TENANT__DEFAULT_TENANT_SLUG"] {
        place.set(name, "");
    }
    // The demo's own API refers to the application `service`.
    place.write(
        "seed.toml",
        "[[tenant]]\nslug = \"demo\"\nname = \"Mine\"\n\n[[tenant.application]]\nhandle = \"service\"\nname = \"My service\"\n\
         secret = \"a-secret-of-the-file\"\ngrant_types = [\"client_credentials\"]\n\n[[tenant.user]]\nusername = \"ada\"\n\
         email = \"ada@mine.example\"\ninitial_password = \"compiler nanosecond moth\"\nroles = [\"admin\"]\n",
    );
    let port = place.port.to_string();
    let mut made = Vec::new();
    for _ in 0..2 {
        let service = place.serve_by(&["dev", "--port", &port, "--seed", "seed.toml"]).await;
        drop(service);
        made.push(place.texts("SELECT action AS text FROM audit_log ORDER BY id").await);
    }
    assert_eq!(made[0], made[1], "a second start changes nothing");
    assert!(made[0].iter().any(|action| action == "application.created"), "{made:?}");
    assert_eq!(place.texts("SELECT name AS text FROM tenants").await, ["Mine"]);
    let service = place.texts("SELECT configuration AS text FROM apps WHERE handle = 'service'").await;
    assert!(service[0].contains("My service"), "{service:?}");
}
