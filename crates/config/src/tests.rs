//! Layering, refusals and reports of the configuration as a whole.

use std::net::{IpAddr, Ipv4Addr};

use super::fixtures::{config, env, faults, start};
use super::load::env::SHORTCUTS;
use super::*;

fn load(toml: &str, pairs: &[(&str, &str)]) -> Result<Config, Faults> {
    Config::load(Some(("svc.toml", toml)), &env(pairs))
}

#[test]
fn the_environment_wins_over_the_file_which_wins_over_defaults() {
    let config = load("[server]\nport = 9000\nhost = \"::1\"\n", &[("SVC_SERVER__PORT", "9001")]).unwrap();
    assert_eq!((config.server.port, config.server.host.to_string().as_str()), (9001, "::1"));
    assert_eq!(config.server.transport, Transport::PlainHttp);
    assert_eq!(Config::default().server.host, IpAddr::V4(Ipv4Addr::LOCALHOST));
}

#[test]
fn every_shortcut_reaches_its_key() {
    for (name, key) in SHORTCUTS {
        let config = config(&[(name, "sqlite:marked.db")]);
        assert!(
            config.database.urls().any(|(path, url)| path == *key && url.expose() == "sqlite:marked.db"),
            "{name}"
        );
    }
    assert_eq!(config(&[("SVC_RUNTIME_PLANE", "control")]).plane, Plane::Control);
    assert!(faults(&[("SVC_RUNTIME_PLANE", "web")]).starts_with("SVC_RUNTIME_PLANE: \"web\" is not a plane"));
}

#[test]
fn a_token_of_digits_stays_text() {
    let config = config(&[("SVC_SERVER__METRICS_BEARER_TOKEN", "0012345")]);
    assert_eq!(config.server.metrics_bearer_token.unwrap().expose(), "0012345");
}

#[test]
fn lists_come_from_json_arrays_and_replace_the_file() {
    let toml = "[server]\nallowed_hosts = [\"a.localhost\"]\ntrusted_proxies = [\"10.0.0.1\"]\n";
    let config = load(toml, &[("SVC_SERVER__ALLOWED_HOSTS", r#"["b.localhost", "c.localhost"]"#)]).unwrap();
    assert_eq!(config.server.allowed_hosts, ["b.localhost", "c.localhost"]);
    assert!(config.server.trusted_proxies[0].contains("10.0.0.1".parse().unwrap()));
    let faults = faults(&[("SVC_SERVER__ALLOWED_HOSTS", "b.localhost")]);
    assert!(faults.contains("is not a list") && faults.contains("JSON array"), "{faults}");
}

#[test]
fn repeated_sections_come_from_the_file_or_the_environment() {
    let toml = "[[chains]]\nname = \"main\"\nchain_id = 1\nrpc_url = \"https://n/KEY\"\n";
    assert_eq!(load(toml, &[]).unwrap().chains[0].chain_id, Some(1));
    let json = r#"[{"name": "test", "chain_id": 5, "rpc_url": "https://n/KEY"}]"#;
    let config = load(toml, &[("SVC_CHAINS", json)]).unwrap();
    assert_eq!((config.chains.len(), config.chains[0].chain_id), (1, Some(5)));
    assert!(!config.outcome().contains("KEY"));
    let faults = load(&format!("{toml}chain_di = 1\n"), &[]).unwrap_err().to_string();
    assert!(faults.contains("chains[0].chain_di") && faults.contains("chain_id?"), "{faults}");
}

#[test]
fn unknown_keys_are_refused_with_the_nearest_name() {
    let faults =
        load("[server]\nprot = 1\n[wallets]\n", &[("SVC_SERVER__HOSTT", "::1")]).unwrap_err().to_string();
    let lines: Vec<_> = faults.lines().collect();
    assert_eq!(
        lines,
        [
            "server.hostt: is not a key (from SVC_SERVER__HOSTT); did you mean SVC_SERVER__HOST?",
            "server.prot: is not a key (from svc.toml:2); did you mean server.port?",
            "wallets: is not a key (from svc.toml:3); delete it; svc.example.toml lists every key",
        ]
    );
    assert!(load("server = 5\n", &[]).unwrap_err().to_string().contains("is a section, not a key"));
    assert!(load("[server]\n[server.tls]\n", &[]).is_ok());
}

#[test]
fn every_fault_is_told_at_once_with_its_key_and_source() {
    let toml = "[server]\nport = 0\ntransport = \"http\"\n[jwt]\nkey_rotation_days = 366\n";
    let env = [("SVC_OPENAPI__ENABLED", "yes"), ("SVC_SERVER__REQUEST_TIMEOUT_SECS", "-1")];
    let faults = load(toml, &env).unwrap_err().to_string();
    for line in [
        "server.port: 0 is out of range (from svc.toml:2); set a whole number in 1..=65535",
        "server.transport: \"http\" is not one of the choices (from svc.toml:3); \
         set one of \"plain_http\" \"tls\" \"tls_h2_only\"",
        "jwt.key_rotation_days: 366 is out of range (from svc.toml:5); set a whole number in 1..=365",
        "openapi.enabled: \"yes\" is neither true nor false (from SVC_OPENAPI__ENABLED); set true or false",
        "server.request_timeout_secs: -1 is out of range (from SVC_SERVER__REQUEST_TIMEOUT_SECS); \
         set a whole number of seconds in 0..=600",
    ] {
        assert!(faults.lines().any(|told| told == line), "{line}\n--\n{faults}");
    }
    assert_eq!(faults.lines().count(), 5, "{faults}");
}

#[test]
fn starting_tells_wrong_values_and_broken_rules_together_and_no_key_twice() {
    let env = [("SVC_CAPTCHA__ENABLED", "perhaps"), ("SVC_RUNTIME_PLANE", "auth")];
    let env = fixtures::env(&[&env[..], &[("SVC_OPENAPI__ENABLED", "true")]].concat());
    let faults = Config::load_for_start(Some(("svc.toml", fixtures::PRODUCTION)), &env).unwrap_err();
    let keys: Vec<_> = faults.0.iter().map(|fault| fault.key.as_str()).collect();
    assert_eq!(keys, ["captcha.enabled", "openapi.enabled"]);
}

#[test]
fn a_secret_that_key_management_may_hold_is_not_just_missing_while_that_cannot_be_asked() {
    let toml = fixtures::PRODUCTION.replace(", secret_key = \"captcha-secret-of-32-characters-or-more\"", "");
    let told = |toml: &str| Config::load_for_start(Some(("svc.toml", toml)), &[]).unwrap_err().to_string();
    let missing = "captcha.secret_key: captcha.enabled needs captcha.secret_key; set captcha.secret_key";
    assert_eq!(told(&toml), format!("{missing}, unless svc-kms holds it, which could not be asked"));
    let without: Vec<_> = toml.lines().filter(|line| !line.starts_with("kms = ")).collect();
    let told = told(&without.join("\n"));
    assert!(told.lines().any(|line| line == missing), "{told}");
}

#[test]
fn a_secret_that_a_rule_between_keys_needs_may_be_held_too() {
    let toml = format!("{}\n[[chains]]\nname = \"a\"\nchain_id = 1\n", fixtures::PRODUCTION);
    let file = Some(("svc.toml", toml.as_str()));
    let told = Config::load_for_start(file, &[]).unwrap_err().to_string();
    let missing = "chains[0].rpc_url: is missing; set it, unless svc-kms holds it, which could not be asked";
    assert!(told.lines().any(|line| line == missing), "{told}");
    let key = "chains[0].rpc_url";
    assert!(Config::load_to_ask(file, &[]).unwrap().absent_secrets().contains(&key));
    let held = [(key.to_owned(), Secret::new("https://n/KEY"))];
    let config = Config::load_over(&held, file, &[]).unwrap();
    assert_eq!(config.chains[0].rpc_url.as_ref().map(Secret::expose), Some("https://n/KEY"));
}

#[test]
fn a_secret_that_is_not_with_key_management_is_missing_and_one_that_is_there_is_not() {
    let toml = format!("{}\n[[chains]]\nname = \"a\"\n[[chains]]\nname = \"b\"\n", fixtures::PRODUCTION);
    let held = [("chains[0].rpc_url".to_owned(), Secret::new("https://n/KEY"))];
    let told = Config::load_for_start_over(&held, Some(("svc.toml", toml.as_str())), &[]);
    let told = told.unwrap_err().to_string();
    assert!(!told.contains("chains[0].rpc_url") && !told.contains("could not be asked"), "{told}");
    for missing in ["chains[0].chain_id: is missing; set it", "chains[1].rpc_url: is missing; set it"] {
        assert!(told.lines().any(|line| line == missing), "{told}");
    }
}

#[test]
fn how_key_management_is_asked_is_known_also_where_other_keys_are_refused() {
    let toml = format!("{}\n[nonsense]\nport = 1\n", fixtures::PRODUCTION);
    let config = Config::for_asking(Some(("svc.toml", toml.as_str())), &env(&[("SVC_SERVER__PORT", "x")]));
    assert!(config.kms.is_configured() && config.absent_secrets().contains(&"server.metrics_bearer_token"));
    assert!(!Config::for_asking(Some(("svc.toml", "[kms\n")), &[]).kms.is_configured());
}

#[test]
fn an_unreadable_file_is_not_blamed_for_what_it_would_have_said() {
    let faults = start("[server\nport = 1\n", &[]).unwrap_err();
    assert!(faults.0.iter().all(|fault| fault.key == "svc.toml"), "{faults}");
}

#[test]
fn a_removed_secret_is_refused_by_name_wherever_it_is() {
    for name in REMOVED {
        let faults = faults(&[(name, "hunter2")]);
        let expected = format!("{name} moved to sigid-kms");
        assert!(faults.contains(&expected) && faults.contains("`svc-kms provision NAME`"), "{faults}");
        assert!(!faults.contains("hunter2") && faults.lines().count() == 1, "{faults}");
        let short = name.replace("__", "_");
        let faults = self::faults(&[(&short, "hunter2")]);
        assert!(faults.contains(&format!("{short} moved to sigid-kms")), "{faults}");
    }
    let faults = load("[jwt]\nsigning_key = \"hunter2\"\n", &[]).unwrap_err().to_string();
    assert!(
        faults.contains("SVC_JWT__SIGNING_KEY moved to sigid-kms") && !faults.contains("hunter2"),
        "{faults}"
    );
}

#[test]
fn secrets_are_in_no_output() {
    let toml = fixtures::PRODUCTION.replace("svc:pw@", "svc:hunter2@").replace("captcha-secret", "hunter2");
    let env = [("SVC_SERVER__METRICS_BEARER_TOKEN", "hunter2"), ("SVC_REDIS__URL", "redis://:hunter2@cache")];
    let config = load(&toml, &env).unwrap();
    assert!(!config.outcome().contains("hunter2") && !format!("{config:?}").contains("hunter2"));
    for wrong in ["mysql://u:hunter2@db/svc", "postgres://u:hunter2@db:port/svc"] {
        let faults = faults(&[("DATABASE_URL", wrong), ("SVC_REDIS__URL", "http://hunter2")]);
        assert!(faults.lines().count() == 2 && !faults.contains("hunter2"), "{faults}");
    }
    let faults =
        load("captcha.secret_key = [\"hunter2\"]\nserver.metrics_bearer_token = \"hunter2\\n\"", &[])
            .unwrap_err();
    assert!(faults.0.len() == 2 && !faults.to_string().contains("hunter2"), "{faults}");
}

#[test]
fn the_outcome_shows_every_key_with_its_source_and_is_toml() {
    let toml = "[server]\nallowed_hosts = [\"a.localhost\"]\n\
        [[chains]]\nname = \"m\"\nchain_id = 1\nrpc_url = \"x\"\n";
    let config =
        load(toml, &[("SVC_SERVER__PORT", "9000"), ("DATABASE_URL", "postgres://u:p@db/svc")]).unwrap();
    let outcome = config.outcome();
    for line in [
        "# runtime plane: all",
        "port = 9000 # SVC_SERVER__PORT",
        "allowed_hosts = [\"a.localhost\"] # svc.toml:2",
        "url = \"postgres://…@db/svc\" # DATABASE_URL",
        "transport = \"plain_http\" # default",
        "issuer_url = \"http://localhost:9000\" # default",
        "# base_domain is not set",
        "[[chains]]",
        "rpc_url = \"[secret]\" # svc.toml:3",
    ] {
        assert!(outcome.lines().any(|shown| shown == line), "{line}\n--\n{outcome}");
    }
    let parsed: toml::Table = outcome.parse().unwrap();
    assert_eq!(parsed["server"]["port"].as_integer(), Some(9000));
}

#[test]
fn the_issuer_follows_the_port_until_it_is_set() {
    assert_eq!(config(&[("SVC_SERVER__PORT", "9000")]).oidc.issuer_url.as_str(), "http://localhost:9000");
    let set = config(&[("SVC_SERVER__PORT", "9000"), ("SVC_OIDC__ISSUER_URL", "http://localhost:1")]);
    assert_eq!(set.oidc.issuer_url.as_str(), "http://localhost:1");
}

/// `UPDATE_DOCS=1 cargo test -p svc-config documented` writes the lists again.
#[test]
fn the_documented_keys_without_effect_are_those_that_the_sections_mark() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/configuration.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (begin, end) = ("<!-- generated: keys without effect -->\n", "<!-- end -->");
    let (before, rest) = page.split_once(begin).unwrap();
    let (present, after) = rest.split_once(end).unwrap();
    let wanted = format!("\n{}\n", keys_without_effect());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, format!("{before}{begin}{wanted}{end}{after}")).unwrap();
        return;
    }
    assert_eq!(present, wanted, "run UPDATE_DOCS=1 cargo test -p svc-config documented");
}

/// `UPDATE_EXAMPLE=1 cargo test -p svc-config example` writes the file again.
#[test]
fn the_example_file_is_what_the_key_table_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../svc.example.toml");
    if std::env::var_os("UPDATE_EXAMPLE").is_some() {
        std::fs::write(path, example()).unwrap();
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == example(),
        "run UPDATE_EXAMPLE=1 cargo test -p svc-config example"
    );
}

#[test]
fn the_example_file_changes_nothing_and_each_of_its_lines_is_right_when_uncommented() {
    let untouched = load(&example(), &[]).unwrap();
    assert_eq!(untouched.outcome(), Config::default().outcome());
    let uncomment = |line: &str| {
        let code = line.strip_prefix('#').filter(|rest| !rest.starts_with(' '));
        code.unwrap_or(line).to_owned()
    };
    let text: Vec<_> = example().lines().map(uncomment).collect();
    let faults = load(&text.join("\n"), &[]).err().map_or_else(Vec::new, |faults| faults.0);
    // Samples need not agree with each other; they must be known, typed and in range, or be refused as what they are.
    let is_right = |fault: &Fault| fault.source == Source::Default || fault.what.contains("placeholder");
    assert!(faults.iter().all(is_right), "{faults:#?}");
}
