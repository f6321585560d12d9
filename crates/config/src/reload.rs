//! What a running process takes over from a changed configuration, and which changed keys wait for its next start.

use super::Config;
use super::load::reader::Entry;

/// A configuration that was read again.
#[derive(Debug)]
pub struct Reload {
    /// The running one, with what can be taken over.
    pub config: Config,
    /// The keys that were taken over.
    pub taken: Vec<String>,
    /// Changed keys that the next start reads.
    pub waiting: Vec<String>,
}

macro_rules! reloaded {
    ($($section:ident.$key:ident)+) => {
        /// The keys that are read at each use, so that a running process can take them over.
        pub const RELOADED: &[&str] = &[$(concat!(stringify!($section), ".", stringify!($key))),+];

        fn take(into: &mut Config, from: &Config) {
            $(into.$section.$key.clone_from(&from.$section.$key);)+
        }
    };
}

reloaded! {
    telemetry.log_filter
    telemetry.metrics_enabled
    server.endpoint_throttle
    server.account_throttle
    server.client_throttle
    server.tenant_throttle
    auth.brute_force_max_attempts
    auth.brute_force_lockout_secs
    auth.password_verify_ip_max_attempts
    auth.registration_rate_limit_max
    captcha.after_wrong_passwords
}

impl Config {
    /// Takes over what can be; secrets are not compared, and wait for the next start.
    pub fn reload(&self, new: &Self) -> Reload {
        let mut config = self.clone();
        take(&mut config, new);
        let (mut taken, mut waiting) = (Vec::new(), Vec::new());
        for entry in &mut config.entries {
            let Some(changed) = new.entries.iter().find(|new| new.path() == entry.path()) else { continue };
            if shown(entry) == shown(changed) {
                continue;
            }
            if RELOADED.contains(&entry.path()) {
                taken.push(entry.path().to_owned());
                entry.clone_from(changed);
            } else {
                waiting.push(entry.path().to_owned());
            }
        }
        Reload { config, taken, waiting }
    }
}

fn shown(entry: &Entry) -> Option<&toml::Value> {
    match entry {
        Entry::Key { value, .. } => value.as_ref(),
        Entry::Section { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Config {
        Config::load(Some(("svc.toml", text)), &[]).unwrap()
    }

    #[test]
    fn what_is_read_at_each_use_is_taken_over_and_everything_else_waits() {
        let running = config("server.port = 9000\nserver.endpoint_throttle = 5");
        let new =
            config("server.port = 9001\nserver.endpoint_throttle = 6\ntelemetry.log_filter = \"debug\"");
        let Reload { config, taken, waiting } = running.reload(&new);
        assert_eq!(taken, ["server.endpoint_throttle", "telemetry.log_filter"]);
        assert_eq!(waiting, ["server.port", "oidc.issuer_url"]);
        assert_eq!((config.server.port, config.server.endpoint_throttle), (9000, 6));
        assert_eq!(config.telemetry.log_filter, "debug");
        let again = config.reload(&new);
        assert_eq!((again.taken.len(), again.waiting.len()), (0, 2), "what waits is named each time");
        let back = config.reload(&running);
        assert_eq!((back.taken.len(), back.waiting.len()), (2, 0));
    }

    #[test]
    fn every_key_that_is_taken_over_exists() {
        let config = config("");
        for key in RELOADED {
            assert!(config.entries.iter().any(|entry| entry.path() == *key), "{key}");
        }
    }
}
