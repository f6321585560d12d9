//! `svc-runtime doctor` over a real deployment: healthy, with one part after the other broken, and stopped.

mod relay;

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use self::relay::Relay;
use super::init::{InitOutcome, SetUp, runtime};
use super::unused_port;
use crate::mtls::authority::Authority;

/// A deployment with a relay, and a list of breached passwords, so that nothing asks the network.
struct Deployment {
    made: InitOutcome,
    relay_port: u16,
    list: String,
    _set_up: SetUp,
}

/// What was found.
struct Found(Value);

impl Deployment {
    async fn new() -> Self {
        let set_up = SetUp::new().await;
        let relay_port = unused_port();
        let made = set_up.make(&["--email-smtp", &format!("localhost:{relay_port}")]);
        let list = list(set_up.folder.path(), "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:1\n");
        Self { made, relay_port, list, _set_up: set_up }
    }

    fn relay(&self) -> Relay {
        Relay::start(self.relay_port, &self.made.dir)
    }

    /// Looks, with further variables.
    fn examine(&self, settings: &[(&str, &str)]) -> Found {
        let mut command = runtime(&["doctor", "--json", "--config"]);
        command.arg(self.made.dir.join("svc.toml")).env("SVC_HIBP__LIST_PATH", &self.list);
        let output = command.envs(settings.iter().copied()).output().unwrap();
        let found = Found(
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}")),
        );
        assert_eq!(found.0["healthy"], output.status.success(), "{output:?}");
        found
    }
}

/// Makes a list of breached passwords in a folder; returns its path.
fn list(folder: &Path, hashes: &str) -> String {
    let (public, list) = (folder.join("hashes"), folder.join("list"));
    std::fs::write(&public, hashes).unwrap();
    let mut import = runtime(&["hibp", "import"]);
    assert!(import.arg(&public).arg("--to").arg(&list).output().unwrap().status.success());
    list.to_str().unwrap().to_owned()
}

impl Found {
    /// The faults, as check, message and way to mend it.
    fn faults(&self) -> Vec<[&str; 3]> {
        let checks = self.0["checks"].as_array().unwrap().iter();
        let faults = checks.filter(|check| check["state"] == "fault");
        faults
            .map(|fault| ["check", "message", "fix"].map(|member| fault[member].as_str().unwrap()))
            .collect()
    }

    /// There is one fault of this check, which says this, and how to mend it.
    #[track_caller]
    fn has(&self, check: &str, says: &str, fix: &str) {
        let faults = self.faults();
        let of_check =
            |fault: &&[&str; 3]| fault[0] == check && fault[1].contains(says) && fault[2].contains(fix);
        assert_eq!(faults.iter().filter(of_check).count(), 1, "{check}, {says}, {fix}: {faults:#?}");
    }

    /// And there is no other.
    #[track_caller]
    fn has_only(&self, check: &str, says: &str, fix: &str) {
        self.has(check, says, fix);
        assert_eq!(self.faults().len(), 1, "{:#?}", self.faults());
    }
}

#[tokio::test]
async fn a_healthy_deployment_has_no_fault_and_each_broken_part_is_named_with_its_remedy() {
    let deployment = Deployment::new().await;
    let relay = deployment.relay();
    let [mut kms, mut service] = deployment.made.start().await;
    let found = deployment.examine(&[]);
    assert_eq!(found.faults(), Vec::<[&str; 3]>::new());
    let checks: Vec<_> =
        found.0["checks"].as_array().unwrap().iter().map(|check| check["check"].as_str().unwrap()).collect();
    for check in [
        "keys",
        "configuration",
        "file modes",
        "disk",
        "certificate",
        "proxies",
        "DNS",
        "database",
        "clock",
        "mail",
        "passwords",
        "issuer",
        "readiness",
    ] {
        assert!(checks.contains(&check), "{check}: {checks:?}");
    }

    drop(relay);
    deployment.examine(&[]).has_only("mail", "does not take mails", "[email.smtp]");
    let _relay = deployment.relay();

    let key = deployment.made.dir.join("tls/key.pem");
    std::fs::set_permissions(&key, Permissions::from_mode(0o644)).unwrap();
    let remedy = format!("chmod 600 {}", key.display());
    deployment.examine(&[]).has_only("file modes", "(mode 644)", &remedy);
    std::fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();

    let file = deployment.made.dir.join("svc.toml");
    let touched =
        |when: &str| assert!(Command::new("touch").args(["-d", when]).arg(&file).status().unwrap().success());
    touched("+1 hour");
    deployment.examine(&[]).has_only("clock", "was written at", "NTP");
    touched("-1 hour");

    kms.kill().await;
    let keys = deployment.made.dir.join("kms").display().to_string();
    let serve = format!("svc-kms serve --dir {keys} --passphrase-file {keys}.passphrase");
    deployment.examine(&[]).has("keys", "svc-kms is not reachable", &serve);
    service.kill().await;
    let found = deployment.examine(&[]);
    found.has("keys", "svc-kms is not reachable", &serve);
    found.has("issuer", "does not listen", "systemctl start svc-kms svc");
    assert_eq!(found.faults().len(), 2, "a stopped deployment: {:#?}", found.faults());
}

#[tokio::test]
async fn a_service_that_takes_http_2_alone_is_asked_over_it() {
    let deployment = Deployment::new().await;
    let _relay = deployment.relay();
    let file = deployment.made.dir.join("svc.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let [of_both, of_one] = ["tls", "tls_h2_only"].map(|value| format!("transport = \"{value}\""));
    assert!(text.contains(&of_both), "{text}");
    std::fs::write(&file, text.replace(&of_both, &of_one)).unwrap();
    let [_kms, mut service] = deployment.made.start().await;
    let found = deployment.examine(&[]);
    assert_eq!(found.faults(), Vec::<[&str; 3]>::new());
    let says = |check: &str, message: &str| {
        let mut checks = found.0["checks"].as_array().unwrap().iter();
        checks.any(|known| known["check"] == check && known["message"].as_str().unwrap().contains(message))
    };
    assert!(says("issuer", "answers") && says("readiness", "it is ready"), "{}", found.0);
    service.kill().await;
    deployment.examine(&[]).has_only("issuer", "does not listen", "systemctl start svc-kms svc");
}

#[tokio::test]
async fn faults_of_the_configuration_of_names_and_of_the_database_are_found_in_a_stopped_deployment() {
    let deployment = Deployment::new().await;
    let elsewhere = [
        ("SVC_OIDC__ISSUER_URL", "https://id.invalid"),
        ("SVC_SERVER__BASE_DOMAIN", "id.invalid"),
        ("SVC_SERVER__ALLOWED_HOSTS", "[\"id.invalid\"]"),
    ];
    let found = deployment.examine(&elsewhere);
    found.has("DNS", "id.invalid, the issuer's host, has no address", "add a record");
    found.has("certificate", "it is not for id.invalid", "[server.tls]");
    found.has("proxies", "all people share one address", "server.trusted_proxies");

    let acme = deployment.made.dir.join("acme").display().to_string();
    let ordered =
        [("SVC_SERVER__ACME__DOMAINS", "[\"other.invalid\"]"), ("SVC_SERVER__ACME__FOLDER", acme.as_str())];
    let found = deployment.examine(&ordered);
    found.has("certificate", "has no localhost, the issuer's host", "add it to server.acme.domains");

    let found = deployment.examine(&[("SVC_SERVER__TRUSTED_PROXIES", "[\"0.0.0.0/0\"]")]);
    found.has("proxies", "strangers may claim any address", "your proxies alone");
    let found = deployment.examine(&[("SVC_HIBP__ENABLED", "false")]);
    found.has("configuration", "hibp.enabled must be true in production", "hibp.enabled = true");
    let found = deployment.examine(&[("SVC_SERVER__PORT", "http")]);
    found.has_only("configuration", "server.port", "1");

    let folder = deployment.made.dir.with_extension("other");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("empty.db"), "").unwrap();
    let empty = format!("sqlite:{}", folder.join("empty.db").display());
    deployment.examine(&[("DATABASE_URL", &empty)]).has(
        "database",
        "migration(s) of this version",
        "--migrate-only",
    );
    std::fs::write(folder.join("broken.db"), "no database ".repeat(1_000)).unwrap();
    let broken = format!("sqlite:{}", folder.join("broken.db").display());
    deployment.examine(&[("DATABASE_URL", &broken)]).has(
        "database",
        &format!("database.url: the database {broken} cannot be used: file is not a database"),
        "look at the file",
    );
    let silent = [
        ("DATABASE_URL", "postgres://svc:canary@127.0.0.1:1/svc?sslmode=require"),
        ("SVC_DATABASE__CONNECT_TIMEOUT_SECS", "1"),
    ];
    let found = deployment.examine(&silent);
    found.has("database", "cannot be used", "role and password");
    assert!(!found.0.to_string().contains("canary"), "{}", found.0);

    let replica = [
        ("SVC_DATABASE__REPLICA_URL", "postgres://svc:canary@127.0.0.1:1/svc?sslmode=require"),
        ("SVC_DATABASE__CONNECT_TIMEOUT_SECS", "1"),
    ];
    let found = deployment.examine(&replica);
    found.has("database", "database.replica_url: ", "take database.replica_url out");
    assert!(!found.0.to_string().contains("canary"), "{}", found.0);

    for (backend, variable, scheme, meanwhile) in [
        ("redis", "SVC_REDIS__URL", "redis://", "what has to count once across processes is refused"),
        ("memcached", "SVC_MEMCACHED__ADDRESS", "", "each process counts limits by itself"),
    ] {
        let address = format!("{scheme}127.0.0.1:{}", unused_port());
        let store = [("SVC_DEPLOYMENT__COORDINATION_BACKEND", backend), (variable, &address)];
        deployment.examine(&store).has(
            "coordination",
            &format!("{backend} does not answer: {meanwhile} meanwhile"),
            &format!("[{backend}]"),
        );
    }

    let name = "localhost";
    let old =
        Authority::new("Old").issue_with(name, |params| params.not_after = rcgen::date_time_ymd(2021, 1, 1));
    std::fs::write(deployment.made.dir.join("tls/fullchain.pem"), &old.pem).unwrap();
    std::fs::write(deployment.made.dir.join("tls/key.pem"), &old.key_pem).unwrap();
    deployment.examine(&[]).has("configuration", "expired at 2021-01-01", "certificate chain");
}

#[tokio::test]
async fn a_list_of_breached_passwords_without_the_commonest_earns_a_warning() {
    let deployment = Deployment::new().await;
    let of_passwords = |list: &str| {
        let found = deployment.examine(&[("SVC_HIBP__LIST_PATH", list)]);
        let checks = found.0["checks"].as_array().unwrap().iter();
        let states = checks.filter(|check| check["check"] == "passwords").map(|check| check["state"].clone());
        states.collect::<Vec<_>>()
    };
    assert_eq!(of_passwords(&deployment.list), ["ok"]);
    let folder = tempfile::tempdir().unwrap();
    let partial = list(folder.path(), &format!("{}:1\n", "0".repeat(40)));
    assert_eq!(of_passwords(&partial), ["warning"]);
}

#[tokio::test]
async fn for_people_it_is_a_line_for_each_check_and_how_many_faults_there_are() {
    let deployment = Deployment::new().await;
    let mut command = runtime(&["doctor", "--config"]);
    command.arg(deployment.made.dir.join("svc.toml")).env("SVC_HIBP__LIST_PATH", &deployment.list);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!output.status.success() && text.contains("FAULT    keys "), "{text}");
    assert!(text.contains("3 fault(s), ") && text.contains("→ start it before svc-runtime"), "{text}");
    assert!(text.contains("→ name the host of each tenant in it"), "{text}");
}
