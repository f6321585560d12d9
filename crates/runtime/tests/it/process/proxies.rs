//! nginx and Caddy with the configuration of `docs/how-to/forward-authentication.md` between a browser and an application.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::person::{Ada, form};
use super::{Place, eventually, mortal, request, unused_port};
use crate::harness::Answer;
use crate::harness::browser::Form;

const GUIDE: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/how-to/forward-authentication.md"));

/// The tenant of these tests and its person.
const PEOPLE: &str = r#"
[[tenant]]
slug = "main"
name = "Main"

[[tenant.user]]
username = "ada"
email = "ada@example.com"
email_verified = true
password = "correct horse ada"
"#;

/// The block of the guide in this language that has `text`.
fn block(language: &str, text: &str) -> &'static str {
    let opening = format!("```{language}\n");
    let mut blocks = GUIDE.split(&opening).skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.find(|block| block.contains(text)).unwrap_or_else(|| panic!("{language}: {text}"))
}

/// A proxy, killed when dropped, and the browser that goes through it.
struct Proxy {
    process: Child,
    address: SocketAddr,
    cookies: BTreeMap<String, String>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Proxy {
    async fn started(mut command: Command, place: &Place, port: u16) -> Self {
        let log = std::fs::File::create(place.folder.path().join("proxy.log")).unwrap();
        command.current_dir(place.folder.path()).stdin(Stdio::null());
        let process = command.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        eventually("the proxy listens", async || TcpStream::connect(address).await.is_ok()).await;
        Self { process, address, cookies: BTreeMap::new() }
    }

    async fn get(&mut self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let (cookies, head) = (cookies.join("; "), format!("GET {path}"));
        let own = [("Cookie", cookies.as_str()), ("Accept", "text/html")];
        let headers: Vec<_> = own.iter().chain(headers).copied().collect();
        let answer = request(self.address, &head, &headers, "").await.unwrap();
        for cookie in answer.headers.get_all("set-cookie") {
            let (name, value) = cookie.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }

    /// The path at this proxy that an answer leads to.
    #[track_caller]
    fn path_of(&self, answer: &Answer) -> String {
        let origin = format!("http://localhost:{}", self.address.port());
        answer.location().strip_prefix(&origin).unwrap_or_else(|| panic!("{answer:?}")).to_owned()
    }
}

/// An application that answers with the head of the request that reached it.
async fn application() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(echo(stream));
        }
    });
    port
}

async fn echo(mut stream: TcpStream) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let answer = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", head.len());
    stream.write_all(answer.as_bytes()).await?;
    stream.write_all(&head).await?;
    stream.shutdown().await
}

/// A deployment with the application of the guide, whose host is `localhost:<port>`.
async fn deployment(port: u16) -> Place {
    let mut place = Place::migrated().await;
    place.set("SVC_SERVER__TRUSTED_PROXIES", r#"["127.0.0.1"]"#);
    place.set("SVC_PROXY__ENABLED", "true");
    place.set("SVC_SERVER__ENDPOINT_THROTTLE", "600");
    let application = block("toml", "[[tenant.application]]");
    let application = application.replace("https://wiki.example.com", &format!("http://localhost:{port}"));
    place.write("seed.toml", &format!("{PEOPLE}{application}"));
    let applied = place.run(&["apply", "seed.toml"]).await;
    assert!(applied.is_success, "{applied:?}");
    place
}

/// The guide's configuration of a proxy, for this machine.
fn here(configuration: &str, place: &Place, application: u16) -> String {
    configuration
        .replace("id.example.com", &format!("localhost:{}", place.port))
        .replace("127.0.0.1:8080", &format!("127.0.0.1:{}", place.port))
        .replace("127.0.0.1:3000", &format!("127.0.0.1:{application}"))
}

/// The headers that reached the application and name a subject, however they are written.
fn subjects(answer: &Answer) -> Vec<String> {
    let fields = answer.body.lines().filter_map(|line| line.split_once(": "));
    let named = fields.filter(|(name, _)| name.replace('_', "-").eq_ignore_ascii_case("x-svc-subject"));
    named.map(|(_, value)| value.trim_end().to_owned()).filter(|value| !value.is_empty()).collect()
}

/// Everything from the first request to the last, through a proxy.
async fn is_protected(place: &Place, mut proxy: Proxy) {
    // What a client claims of itself changes nothing.
    let lies =
        [("X-SVC-Subject", "admin"), ("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "https")];
    let answer = proxy.get("/page?x=1", &lies).await;
    let start = proxy.path_of(&answer);
    assert!(start.starts_with("/auth/proxy/start?client_id="), "{answer:?}");

    let answer = proxy.get(&start, &lies).await.expect(303);
    let service = SocketAddr::from(([127, 0, 0, 1], place.port));
    let issuer = format!("http://localhost:{}", place.port);
    let path = answer.location().strip_prefix(&issuer).unwrap_or_else(|| panic!("{answer:?}")).to_owned();
    let mut ada = Ada { address: service, client_id: String::new(), cookies: BTreeMap::new() };
    let page = ada.get(&path).await.unwrap().expect(200);
    let flow = &Form::of(&page).hidden[0].1;
    let fields = [("flow", flow.as_str()), ("username", "ada"), ("password", "correct horse ada")];
    let answer = ada.post("/auth/sign-in", &fields).await.unwrap().expect(303);
    let callback = proxy.path_of(&answer);

    let mut elsewhere = BTreeMap::new();
    std::mem::swap(&mut elsewhere, &mut proxy.cookies);
    assert_eq!(proxy.get(&callback, &[]).await.status, 403, "a browser that did not begin this");
    proxy.cookies = elsewhere;
    let answer = proxy.get(&callback, &[]).await.expect(303);
    assert_eq!(proxy.path_of(&answer), "/page?x=1");

    let answer = proxy.get("/page?x=1", &[]).await.expect(200);
    assert!(answer.body.starts_with("GET /page?x=1 "), "{answer:?}");
    let [subject] = &subjects(&answer)[..] else { panic!("{answer:?}") };
    for name in ["X-SVC-Subject", "x-svc-subject", "X_SVC_Subject"] {
        let answer = proxy.get("/", &[(name, "admin")]).await;
        assert!(!answer.body.contains("admin"), "{name}: {answer:?}");
        assert!([200, 403].contains(&answer.status), "{name}: {answer:?}");
        assert!(answer.status == 403 || subjects(&answer) == [subject.clone()], "{name}: {answer:?}");
    }
    for cookies in ["svc_proxy=x", "svc_proxy="] {
        let answer =
            request(proxy.address, "GET /", &[("Cookie", cookies), ("Accept", "text/html")], "").await;
        assert!(proxy.path_of(&answer.unwrap()).starts_with("/auth/proxy/start?"));
    }
    let copy = format!("svc_proxy={}", proxy.cookies["svc_proxy"]);
    let with_copy = [("Cookie", copy.as_str()), ("Accept", "text/html")];
    assert_eq!(request(proxy.address, "GET /", &with_copy, "").await.unwrap().status, 200);

    let answer = proxy.get("/auth/proxy/sign-out", &[]).await.expect(303);
    assert!(
        answer.location().starts_with(&format!("{issuer}/oauth/end-session?client_id=app_")),
        "{answer:?}"
    );
    let after = request(proxy.address, "GET /", &with_copy, "").await.unwrap();
    assert!(proxy.path_of(&after).starts_with("/auth/proxy/start?"), "{after:?}");
    let posted = form(proxy.address, "/", &[("Cookie", &copy)], &[("a", "b")]).await.unwrap();
    assert!(posted.status != 200 && !posted.body.starts_with("POST"), "{posted:?}");
}

#[tokio::test]
async fn nginx_protects_an_application_with_the_configuration_of_the_guide() {
    let port = unused_port();
    let place = deployment(port).await;
    let server = here(block("nginx", "auth_request"), &place, application().await);
    let server: String =
        server.lines().filter(|line| !line.contains("ssl_")).map(|line| format!("{line}\n")).collect();
    let server = server.replace("listen 443 ssl;", &format!("listen 127.0.0.1:{port};"));
    let server = server.replace("server_name wiki.example.com;", "server_name localhost;");
    let _service = place.serve().await;
    let proxy = nginx(&place, port, &server).await;
    is_protected(&place, proxy).await;
}

/// nginx with one server.
async fn nginx(place: &Place, port: u16, server: &str) -> Proxy {
    let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let paths: String = paths.iter().map(|kind| format!("{kind}_temp_path {kind};\n")).collect();
    place.write(
        "nginx.conf",
        &format!(
            "daemon off;\nmaster_process off;\npid nginx.pid;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{server}}}\n"
        ),
    );
    let mut command = mortal("/usr/sbin/nginx");
    command.arg("-p").arg(place.folder.path()).args(["-e", "stderr", "-c", "nginx.conf"]);
    Proxy::started(command, place, port).await
}

#[tokio::test]
async fn nginx_passes_long_addresses_on_with_the_directives_of_the_guide() {
    let guide = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/how-to/production.md"));
    let directives = guide.split("```nginx\n").nth(1).unwrap().split("```").next().unwrap();
    let directives: String = directives
        .lines()
        .filter(|line| !line.contains("proxy_ssl_"))
        .map(|line| format!("{line}\n"))
        .collect();
    let mut place = Place::populated().await;
    place.set("SVC_SERVER__TRUSTED_PROXIES", r#"["127.0.0.1"]"#);
    let upstream = format!("http://127.0.0.1:{}", place.port);
    let directives = directives.replace("https://127.0.0.1:8443", &upstream);
    let port = unused_port();
    let _service = place.serve().await;
    let server = format!("server {{\nlisten 127.0.0.1:{port};\n{directives}}}\n");
    let proxy = nginx(&place, port, &server).await;
    let mut ada = place.visitor(proxy.address).await;
    // Sealed in an address it is a third longer.
    let state = "s".repeat(7_000);
    let page = ada.opens_with(&state).await.expect(200);
    ada.sign_in(&page).await;
    let answer = ada.opens_with(&state).await.expect(303);
    assert_eq!(answer.redirect_param("state").as_deref(), Some(state.as_str()));
}

#[tokio::test]
async fn caddy_protects_an_application_with_the_configuration_of_the_guide() {
    let port = unused_port();
    let place = deployment(port).await;
    let site = here(block("caddyfile", "forward_auth"), &place, application().await);
    let site = site.replace("wiki.example.com {", &format!("http://localhost:{port} {{\n\tbind 127.0.0.1"));
    place.write("Caddyfile", &format!("{{\n\tadmin off\n\tauto_https off\n}}\n{site}"));
    let _service = place.serve().await;
    let mut command = mortal("caddy");
    command.args(["run", "--config", "Caddyfile", "--adapter", "caddyfile"]);
    command.env("HOME", place.folder.path()).env("XDG_DATA_HOME", place.folder.path());
    let proxy = Proxy::started(command, &place, port).await;
    is_protected(&place, proxy).await;
}

#[test]
fn envoy_asks_with_the_subjects_header_however_a_client_has_written_it() {
    let filter = block("yaml", "ext_authz");
    let regex = filter.split("regex: \"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(regex.split("[-_]").collect::<Vec<_>>(), ["x", "svc", "subject"]);
}
