//! The parameters of a database's address as libpq knows them: the service also reads other names, and adds up options.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

/// Names and values, decoded.
pub struct Parameters {
    /// What other users of the machine must not read in the list of processes.
    pub password: Option<String>,
    pairs: Vec<(String, String)>,
    /// Settings of the session.
    options: String,
}

impl Parameters {
    /// Those of an address. One without a host leads to this machine, where libpq would look for a socket.
    pub fn of(address: &Url) -> Self {
        let (mut password, mut pairs, mut options) = (None, Vec::new(), Vec::new());
        for (name, value) in address.query_pairs() {
            let setting = name.strip_prefix("options[").and_then(|rest| rest.strip_suffix(']'));
            if name == "password" {
                password = Some(value.into_owned());
            } else if name == "options" {
                options.push(value.into_owned());
            } else if let Some(setting) = setting {
                options.push(format!("-c {setting}={value}"));
            } else if let Some(name) = known(&name) {
                pairs.push((name.to_owned(), value.into_owned()));
            }
        }
        let names_host = address.host_str().is_some_and(|host| !host.is_empty());
        if !names_host && !pairs.iter().any(|(name, _)| name.starts_with("host")) {
            pairs.push(("host".to_owned(), "localhost".to_owned()));
        }
        Self { password, pairs, options: options.join(" ") }
    }

    /// The query of an address for libpq, which takes no `+` for a space.
    pub fn query(&self) -> Option<String> {
        let options = (!self.options.is_empty()).then_some(("options", self.options.as_str()));
        let pairs = self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let encoded =
            |(name, value): (&str, &str)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC));
        let pairs: Vec<String> = pairs.chain(options).map(encoded).collect();
        (!pairs.is_empty()).then(|| pairs.join("&"))
    }

    /// The schema that the options choose: the last one counts.
    pub fn schema(&self) -> Option<String> {
        let (_, path) = self.options.rsplit_once("search_path=")?;
        path.split([',', ' ']).next().map(str::to_owned)
    }

    /// Whether the server's certificate is checked, and no file says by whom it may be signed.
    pub fn lacks_authorities(&self) -> bool {
        let value = |wanted: &str| {
            self.pairs.iter().rfind(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
        };
        matches!(value("sslmode"), Some("verify-ca" | "verify-full")) && value("sslrootcert").is_none()
    }
}

/// A parameter by libpq's name; nothing for one that means something to the service alone.
fn known(name: &str) -> Option<&str> {
    match name {
        "ssl-mode" => Some("sslmode"),
        "ssl-root-cert" | "ssl-ca" => Some("sslrootcert"),
        "ssl-cert" => Some("sslcert"),
        "ssl-key" => Some("sslkey"),
        "statement-cache-capacity" => None,
        name => Some(name),
    }
}
