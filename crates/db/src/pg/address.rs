//! What an address says: where to connect, how, and how far TLS is checked (`sslmode` of libpq).

use std::time::Duration;

use svc_core::{Error, Result};
use tokio_postgres::config::{Config, SslMode};
use url::Url;

use crate::engine::PoolSettings;
use crate::tls::{Checked, Files, Tls};

/// A plan is kept as long as its connection, while tables grow under it. A scan or a join that reads a whole table is the
/// cheapest plan for the first hundred rows alone, so the planner takes one only where no index serves. The price that it puts
/// on that would make it compile the plan. It is made once: PostgreSQL would plan the first five uses for their arguments, each in
/// more time than most statements take.
const PLANS: [&str; 5] = [
    "-c enable_seqscan=off",
    "-c enable_hashjoin=off",
    "-c enable_mergejoin=off",
    "-c jit=off",
    "-c plan_cache_mode=force_generic_plan",
];

/// The parameters that are left to the driver. It names one that it does not know, and that may be a password's.
const DRIVERS: [&str; 17] = [
    "application_name",
    "channel_binding",
    "connect_timeout",
    "dbname",
    "host",
    "hostaddr",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "load_balance_hosts",
    "password",
    "port",
    "sslnegotiation",
    "target_session_attrs",
    "tcp_user_timeout",
    "user",
];

/// Reads `postgres://…` with the settings of the pool. What is wrong with it is said without any text of it but the paths of files.
pub(super) fn read(url: &str, settings: &PoolSettings) -> Result<(Config, Tls)> {
    let mut url = Url::parse(url).map_err(|error| malformed(error))?;
    let mut asked = UrlParameters::of(&mut url)?;
    let mut config: Config = url.as_str().parse().map_err(|error| malformed(error))?;
    if config.get_application_name().is_none() {
        config.application_name("svc");
    }
    config.options(asked.options(settings)).connect_timeout(settings.connect_timeout);
    let (mode, checked) = asked.mode(settings)?;
    config.ssl_mode(mode);
    asked.files.authorities = settings.authorities.as_ref().map(|path| path.display().to_string());
    Ok((config, Tls::new(checked, &asked.files)?))
}

/// Parameters of the query that the driver does not know, or knows otherwise.
#[derive(Default)]
struct UrlParameters {
    sslmode: Option<String>,
    files: Files,
    options: Vec<String>,
}

impl UrlParameters {
    /// Takes them out of an address, and leaves those of the driver in it.
    fn of(url: &mut Url) -> Result<Self> {
        let query: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        let mut asked = Self::default();
        let mut rest = Vec::new();
        for (before, (key, value)) in query.iter().enumerate() {
            if !asked.take(key, value) {
                let known = DRIVERS.into_iter().find(|known| known == key);
                let known = known.ok_or_else(|| unknown(before + 1))?;
                rest.push(format!("{known}={}", encoded(value)));
            }
        }
        if url.host_str().is_none_or(str::is_empty) && !rest.iter().any(|pair| pair.starts_with("host")) {
            rest.push("host=localhost".to_owned());
        }
        url.set_query((!rest.is_empty()).then(|| rest.join("&")).as_deref());
        Ok(asked)
    }

    fn take(&mut self, key: &str, value: &str) -> bool {
        match key {
            "sslmode" | "ssl-mode" => self.sslmode = Some(value.to_owned()),
            "sslrootcert" | "ssl-root-cert" | "ssl-ca" => self.files.roots = Some(value.to_owned()),
            "sslcert" | "ssl-cert" => self.files.certificate = Some(value.to_owned()),
            "sslkey" | "ssl-key" => self.files.key = Some(value.to_owned()),
            "options" => self.options.push(value.to_owned()),
            "statement-cache-capacity" => {}
            _ => match key.strip_prefix("options[").and_then(|key| key.strip_suffix(']')) {
                Some(key) => self.options.push(format!("-c {key}={value}")),
                None => return false,
            },
        }
        true
    }

    /// Settings of the session travel with the start-up message: the role's own stay as they are.
    fn options(&self, settings: &PoolSettings) -> String {
        let timeout = |name: &str, span: Duration| format!("-c {name}={}ms", span.as_millis());
        let mut options = vec![
            timeout("statement_timeout", settings.statement_timeout),
            timeout("idle_in_transaction_session_timeout", settings.idle_in_transaction_timeout),
        ];
        options.extend(PLANS.map(str::to_owned));
        options.extend(settings.schema.iter().map(|schema| format!("-c search_path={schema}")));
        options.extend(self.options.iter().cloned());
        options.join(" ")
    }

    fn mode(&self, settings: &PoolSettings) -> Result<(SslMode, Checked)> {
        let default = if settings.require_ssl { "require" } else { "prefer" };
        Ok(match self.sslmode.as_deref().unwrap_or(default) {
            "disable" | "allow" => (SslMode::Disable, Checked::Nothing),
            "prefer" => (SslMode::Prefer, Checked::Nothing),
            "require" => (SslMode::Require, Checked::Nothing),
            "verify-ca" => (SslMode::Require, Checked::Authority),
            "verify-full" => (SslMode::Require, Checked::AuthorityAndName),
            _ => {
                return Err(Error::bad_request(
                    "sslmode must be disable, allow, prefer, require, verify-ca or verify-full",
                ));
            }
        })
    }
}

fn encoded(value: &str) -> String {
    url::form_urlencoded::byte_serialize(value.as_bytes()).collect::<String>().replace('+', "%20")
}

#[track_caller]
fn malformed(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::bad_request("the PostgreSQL URL is malformed").caused_by(error)
}

#[track_caller]
fn unknown(place: usize) -> Error {
    Error::bad_request(format!(
        "the PostgreSQL URL is malformed: parameter {place} after the ? is an unknown option, or part of a password whose ? \
         is not written as %3F"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(query: &str, require_ssl: bool) -> SslMode {
        let settings = PoolSettings { require_ssl, ..PoolSettings::default() };
        read(&format!("postgres://svc:p%40ss@db.internal:5433/svc{query}"), &settings)
            .unwrap()
            .0
            .get_ssl_mode()
    }

    #[test]
    fn the_address_settles_tls_and_the_setting_fills_in() {
        assert_eq!(mode("", false), SslMode::Prefer);
        assert_eq!(mode("", true), SslMode::Require);
        assert_eq!(mode("?sslmode=disable", true), SslMode::Disable);
        assert_eq!(mode("?sslmode=verify-full", false), SslMode::Require);
        let settings = PoolSettings::default();
        assert!(read("postgres://db/svc?sslmode=sometimes", &settings).is_err());
        assert!(read("postgres://db/svc?sslmode=verify-ca&sslrootcert=/absent.pem", &settings).is_err());
        let settings = PoolSettings { authorities: Some("/absent.pem".into()), ..PoolSettings::default() };
        assert!(read("postgres://db/svc?sslmode=verify-ca", &settings).is_err());
    }

    #[test]
    fn limits_plans_schema_and_options_of_the_address_travel_with_the_start_up_message() {
        let settings = PoolSettings { schema: Some("s1".to_owned()), ..PoolSettings::default() };
        let url = "postgres:///svc?user=svc&host=/run/postgresql&options[work_mem]=8MB&options=-c%20jit%3Don";
        let (config, _) = read(url, &settings).unwrap();
        assert_eq!(
            config.get_options(),
            Some(
                "-c statement_timeout=15000ms -c idle_in_transaction_session_timeout=30000ms \
                 -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off \
                 -c plan_cache_mode=force_generic_plan -c search_path=s1 -c work_mem=8MB -c jit=on"
            )
        );
        assert_eq!(config.get_application_name(), Some("svc"));
        assert_eq!(config.get_hosts(), [tokio_postgres::config::Host::Unix("/run/postgresql".into())]);
    }

    #[test]
    fn what_is_wrong_with_an_address_is_said_without_its_password() {
        for url in [
            "postgres://svc:1?hunter2@db/svc",
            "postgres://svc:?hunter2@db/svc?sslmode=verify-full",
            "postgres://svc:1?hunter2=x@db/svc",
            "postgres://svc:x@1?hunter2@db/svc",
            "postgres://svc:1/x?hunter2@db/svc",
            "postgres://svc:1?x&hunter2@db/svc",
            "postgres://svc:hunter2?@db/svc",
            "postgres://svc:hunter2/@db:many/svc",
            "postgres://svc:[hunter2@db/svc",
            "postgres://db/svc?user=svc&password=1&hunter2",
            "postgres://db/svc?hunter2=1&password=2",
            "postgres://db/svc?password=1&port=hunter2",
            "postgres://svc:hunter2@db/svc?sslmode=hunter2",
        ] {
            let Err(fault) = read(url, &PoolSettings::default()) else { continue };
            assert!(!format!("{fault} {fault:?}").contains("hunter2"), "{url}: {fault:?}");
        }
        for (url, place) in [
            ("postgres://svc:1?x@db/svc?sslmode=verify-full", 1),
            ("postgres://db/svc?user=svc&colour=blue", 2),
        ] {
            let fault = read(url, &PoolSettings::default()).err().unwrap().to_string();
            assert!(
                fault.contains(&format!("parameter {place} after the ? is an unknown option")),
                "{fault}"
            );
        }
    }
}
