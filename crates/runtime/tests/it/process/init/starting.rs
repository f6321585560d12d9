//! What was made starts in production mode at the first try, and its operator signs in.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use super::super::Ended;
use super::{InitOutcome, SetUp, names, runtime};
use crate::harness::browser::Form;
use crate::mtls::authority::Certificate;

/// What the log tells of a database that takes more than a second.
const SLOW: [&str; 2] = ["slow statements", "does not answer within a second"];

impl InitOutcome {
    /// Sends the sign-in form of the operator.
    fn sign_in(&self) -> u16 {
        let page = self.page("/auth/access");
        assert!(page.status == 200 && page.body.contains("type=\"password\""), "{page:?}");
        let flow = format!("flow={}", Form::of(&page).hidden[0].1);
        let username = format!("username={}", self.text("/operator/username"));
        let password = format!("password={}", self.text("/operator/password"));
        let origin = format!("Origin: {}", self.text("/address"));
        let fields = [&flow, &username, &password].map(|field| ["--data-urlencode", field.as_str()]);
        self.curl("/auth/sign-in", &[&fields.concat()[..], &["-H", &origin]].concat()).0
    }

    /// Runs a command over its configuration.
    fn says(&self, arguments: &[&str]) -> Ended {
        let output = runtime(arguments).arg("--config").arg(self.dir.join("svc.toml")).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ended {
            is_success: output.status.success(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn what_was_made_starts_in_production_mode_at_once_and_its_operator_signs_in() {
    let set_up = SetUp::new().await;
    let made = set_up.make(&["--email-smtp", "svc:canary-relay@mail.example:465"]);
    assert_eq!(made.text("/address"), format!("https://localhost:{}", set_up.port));
    assert_eq!(made.text("/tenant"), "main");
    let members: Vec<_> = made.told.as_object().unwrap().keys().collect();
    assert_eq!(members, ["start", "address", "ca", "tenant", "operator"]);
    let members: Vec<_> = made.told["operator"].as_object().unwrap().keys().collect();
    assert_eq!(members, ["username", "password", "client_id"]);

    let processes = made.start().await;
    let (status, discovery) = made.curl("/.well-known/openid-configuration", &[]);
    let issuer = format!("\"issuer\":\"{}\"", made.text("/address"));
    assert!(status == 200 && discovery.contains(&issuer), "{discovery}");
    assert_eq!(made.sign_in(), 303);
    let page = made.page("/auth/access");
    assert!(page.status == 200 && !page.body.contains("type=\"password\""), "{page:?}");

    let asked = format!(
        "/oauth/authorize?response_type=code&client_id={}&redirect_uri=http://127.0.0.1/callback\
         &scope=control-plane:read&code_challenge={}&code_challenge_method=S256",
        made.text("/operator/client_id"),
        "c".repeat(43)
    );
    let (status, answer) = made.curl(&asked, &[]);
    assert!(status == 200 || status == 303, "{status}: {answer}");

    let operators = made.says(&["admin", "list-operators"]);
    let (username, is_alone) = (made.text("/operator/username"), operators.stdout.lines().count() == 1);
    assert!(operators.is_success && is_alone && operators.stdout.contains(username), "{operators:?}");

    let checked = made.says(&["config", "check"]);
    assert!(checked.is_success, "{checked:?}");
    for line in [
        "production = true",
        "second_factor_required = true",
        "secret_key = \"[secret]\"",
        "password = \"[secret]\"",
    ] {
        assert!(checked.stdout.contains(line), "{line}: {checked:?}");
    }
    for process in &processes {
        let log = process.log();
        let complains = |line: &str| ["WARN", "ERROR"].iter().any(|level| line.contains(level));
        // That a machine is busy with other tests is no fault of what was made.
        let is_slow = |line: &str| SLOW.iter().any(|text| line.contains(text));
        let complaints: Vec<_> = log.lines().filter(|line| complains(line) && !is_slow(line)).collect();
        assert!(complaints.is_empty() && !log.contains("canary"), "{log}");
    }
}

#[tokio::test]
async fn secrets_are_for_their_owner_alone_and_stand_in_no_text_but_the_databases() {
    let set_up = SetUp::new().await;
    let made = set_up.make(&["--email-smtp", "svc:canary-relay@mail.example"]);
    let dir = &made.dir;
    for secret in ["svc.toml", "tls/key.pem", "kms.passphrase", "kms/keys.sealed", "kms/client.key"] {
        assert_eq!(mode(&dir.join(secret)), 0o600, "{secret}");
    }
    for folder in ["", "kms", "tls"] {
        assert_eq!(mode(&dir.join(folder)), 0o700, "{folder}");
    }
    let text = std::fs::read_to_string(dir.join("svc.toml")).unwrap();
    assert!(!text.contains("canary") && !text.contains("secret_key"), "{text}");
    assert!(!text.contains(made.text("/operator/password")), "{text}");
    let expected = ["kms", "kms.passphrase", "svc.toml", "systemd", "tls"];
    let found = names(dir);
    assert!(expected.iter().all(|name| found.iter().any(|found| found == name)), "{found:?}");
    assert!(
        found.iter().all(|name| expected.contains(&name.as_str()) || name.starts_with("svc.db")),
        "{found:?}"
    );
}

#[tokio::test]
async fn the_units_are_what_systemd_understands() {
    let set_up = SetUp::new().await;
    let made = set_up.make(&[]);
    let units = ["svc.service", "svc-kms.service"].map(|name| made.dir.join("systemd").join(name));
    for (unit, argv) in units.iter().zip(["svc-runtime --config", "svc-kms serve"]) {
        let text = std::fs::read_to_string(unit).unwrap();
        let start = text.lines().find(|line| line.starts_with("ExecStart=")).unwrap();
        assert!(start.contains(argv) && start.contains(made.dir.to_str().unwrap()), "{text}");
        // The configuration says so to the service.
        assert_eq!(start.ends_with(" --log-format json"), argv.starts_with("svc-kms"), "{text}");
    }
    // Only where systemd is: the names of the settings, and the paths of the programs.
    if let Ok(verified) = Command::new("systemd-analyze").arg("verify").args(&units).output() {
        let said = String::from_utf8_lossy(&verified.stderr);
        let about =
            said.lines().filter(|line| units.iter().any(|unit| line.starts_with(unit.to_str().unwrap())));
        assert_eq!(about.collect::<Vec<_>>(), Vec::<&str>::new(), "{said}");
    }
}

#[tokio::test]
async fn a_certificate_that_is_given_is_shown() {
    let set_up = SetUp::new().await;
    let own = Certificate::self_signed("localhost");
    let [chain, key] = [("own.crt", &own.pem), ("own.key", &own.key_pem)].map(|(name, text)| {
        let path = set_up.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let made = set_up.make(&["--certificate", &chain, "--key", &key]);
    let _processes = made.start().await;
    assert_eq!(std::fs::read_to_string(made.text("/ca")).unwrap(), own.pem);
}
