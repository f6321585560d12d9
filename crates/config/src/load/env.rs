//! The environment layer: `SVC_SECTION__KEY` and the documented shortcuts.

use super::fault::{Fault, Source};
use super::known::{Known, env_name};
use super::reader::{Given, Layers, Raw};
use crate::removed;

/// Variables with names of their own, and the keys that they stand for.
pub const SHORTCUTS: &[(&str, &str)] = &[
    ("DATABASE_URL", "database.url"),
    ("DATABASE_IDENTITY_URL", "database.identity_url"),
    ("DATABASE_AUTH_URL", "database.auth_url"),
    ("DATABASE_CONTROL_URL", "database.control_url"),
    ("DATABASE_ASYNC_URL", "database.async_url"),
    ("MIGRATION_DATABASE_URL", "database.migration_url"),
    ("MAINTENANCE_DATABASE_URL", "database.maintenance_url"),
];

/// Variables that steer the process and are no keys.
const NOT_KEYS: &[&str] = &["SVC_CONFIG_FILE", "SVC_RUNTIME_PLANE"];
/// Those of `svc-kms`, whose commands are run in the same shell.
const OF_SVC_KMS: &[&str] = &[
    "SVC_KMS_CREDENTIAL",
    "SVC_KMS_DIR",
    "SVC_KMS_LOG_FORMAT",
    "SVC_KMS_PASSPHRASE_FILE",
    "SVC_KMS_SOCKET",
    "SVC_KMS_TOKEN",
    "SVC_KMS_TOKEN_MODULE",
];

/// Lays `env` over `layers`; returns the refused variables, and those of our prefix that name nothing. A variable of our own
/// prefix wins over a shortcut for the same key.
pub fn read(env: &[(String, String)], known: &Known, layers: &mut Layers) -> (Vec<Fault>, Vec<Fault>) {
    let mut give = |path: String, name: &str, text: &str| {
        layers.insert(path, Given { raw: Raw::Text(text.to_owned()), source: Source::Env(name.to_owned()) });
    };
    for (name, text) in env {
        let key = SHORTCUTS.iter().find(|(shortcut, _)| shortcut == name).map(|(_, key)| *key);
        // These names are not ours alone: tools leave them behind empty.
        if let Some(key) = key.filter(|_| !text.is_empty()) {
            give(key.to_owned(), name, text);
        }
    }
    let (mut faults, mut strangers) = (Vec::new(), Vec::new());
    for (name, text) in env {
        match meaning(name, text, known) {
            Meaning::Key(path) => give(path, name, text),
            Meaning::Refused(fault) => faults.push(fault.from(Source::Env(name.clone()))),
            Meaning::Unknown => strangers.push(stranger(name)),
            Meaning::NotOurs => {}
        }
    }
    (faults, strangers)
}

fn stranger(name: &str) -> Fault {
    let what = "is not a variable of the service, and is ignored";
    Fault::new(name, what, "svc.example.toml lists every key: SVC_, the section, two underscores, the key")
}

enum Meaning {
    Key(String),
    Refused(Fault),
    Unknown,
    NotOurs,
}

fn meaning(name: &str, text: &str, known: &Known) -> Meaning {
    let is_no_key = NOT_KEYS.contains(&name) || OF_SVC_KMS.contains(&name);
    let Some(rest) = name.strip_prefix("SVC_").filter(|_| !is_no_key) else {
        return Meaning::NotOurs;
    };
    if let Some(fault) = removed::fault(name) {
        return Meaning::Refused(fault);
    }
    let path = rest.to_lowercase().replace("__", ".");
    if path.contains('.') || known.has(&path) {
        return Meaning::Key(path);
    }
    // Container platforms announce a service called `svc-server` as SVC_SERVER_PORT=tcp://… and the like.
    let is_service_link = text.starts_with("tcp://")
        || text.starts_with("udp://")
        || name.ends_with("SERVICE_HOST")
        || name.contains("SERVICE_PORT")
        || name.contains("_TCP_")
        || name.contains("_UDP_");
    match known.with_single_underscores(&path).filter(|_| !is_service_link) {
        Some(key) => {
            Meaning::Refused(Fault::new(name, "is not a key", format!("did you mean {}?", env_name(key))))
        }
        None if is_service_link => Meaning::NotOurs,
        None => Meaning::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers(env: &[(&str, &str)]) -> (Layers, Vec<Fault>, Vec<Fault>) {
        let env: Vec<_> = env.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let mut layers = Layers::new();
        let (faults, strangers) = read(&env, &Known::new(), &mut layers);
        (layers, faults, strangers)
    }

    #[test]
    fn double_underscores_nest() {
        let (layers, faults, _) = layers(&[("SVC_DATABASE__AUTH_POOL__MAX_CONNECTIONS", "3")]);
        assert!(faults.is_empty() && layers.contains_key("database.auth_pool.max_connections"));
    }

    #[test]
    fn our_own_variable_wins_over_the_shortcut_in_any_order() {
        let (url, own) = (("DATABASE_URL", "sqlite:a"), ("SVC_DATABASE__URL", "sqlite:b"));
        for order in [[url, own], [own, url]] {
            let source = layers(&order).0["database.url"].source.clone();
            assert_eq!(source, Source::Env("SVC_DATABASE__URL".to_owned()));
        }
    }

    #[test]
    fn an_empty_shortcut_counts_as_absent() {
        assert!(layers(&[("DATABASE_URL", "")]).0.is_empty());
    }

    #[test]
    fn variables_that_are_no_keys_are_left_alone() {
        let env = [
            ("SVC_CONFIG_FILE", "x"),
            ("SVC_RUNTIME_PLANE", "auth"),
            ("SVC_SERVICE_HOST", "10.0.0.1"),
            ("SVC_SERVER_PORT", "tcp://10.0.0.1:80"),
            ("PATH", "/bin"),
        ];
        let (layers, faults, strangers) = layers(&env);
        assert!(layers.is_empty() && faults.is_empty() && strangers.is_empty(), "{strangers:?}");
    }

    #[test]
    fn the_variables_of_svc_kms_are_left_alone() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/svc-kms.md");
        let page = std::fs::read_to_string(page).unwrap();
        let mut named: Vec<_> =
            page.split("[env: ").skip(1).map(|rest| rest.split('=').next().unwrap()).collect();
        named.sort_unstable();
        named.dedup();
        assert_eq!(named, OF_SVC_KMS);
        let env: Vec<_> = named.iter().map(|name| (*name, "x")).collect();
        let (layers, faults, strangers) = layers(&env);
        assert!(layers.is_empty() && faults.is_empty() && strangers.is_empty(), "{strangers:?}");
    }

    #[test]
    fn a_variable_of_our_prefix_that_names_nothing_is_remarked_on() {
        let (layers, faults, strangers) = layers(&[("SVC_FOO", "1"), ("SVCX", "1")]);
        assert!(layers.is_empty() && faults.is_empty());
        assert!(strangers.len() == 1 && strangers[0].to_string().starts_with("SVC_FOO: is not a variable"));
    }

    #[test]
    fn a_single_underscore_where_two_belong_is_not_silently_ignored() {
        let faults = layers(&[("SVC_SECURITY_PRODUCTION", "true")]).1;
        assert!(faults[0].to_string().contains("did you mean SVC_SECURITY__PRODUCTION?"), "{}", faults[0]);
    }
}
