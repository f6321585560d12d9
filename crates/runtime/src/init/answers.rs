//! What a deployment is to be: the flags of the command, what was asked for on a terminal, and what follows from both.

use std::convert::Infallible;
use std::io::IsTerminal as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

use clap::Args;
use svc_config::{is_host, is_local};
use svc_core::Secret;
use svc_keys::SystemEntropy;
use url::{Host, Url};

use super::hidden::Hidden;
use super::questions::Questions;
use crate::failure::Failure;

/// What to set up; on a terminal, what is not given is asked for.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The directory of the deployment; it must be empty, or not exist.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The host name, or address, under which people reach the service.
    #[arg(long, value_name = "NAME")]
    host: Option<String>,
    /// The port to listen on [default: 443].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// The address to listen on. By default every address of IPv4 (`::` adds those of IPv6), for a local host name that of this machine alone.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    /// The database: `postgres://user:password@host/name` [default: an SQLite file in the directory].
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, value_name = "URL", value_parser = secret)]
    database_url: Option<Secret>,
    /// The mail relay: `host`, `host:port` or `user@host:port`.
    #[arg(long, value_name = "RELAY")]
    email_smtp: Option<String>,
    /// The password at the relay.
    #[arg(long, env = "SVC_EMAIL__SMTP__PASSWORD", hide_env_values = true, value_name = "PASSWORD", value_parser = secret)]
    email_smtp_password: Option<Secret>,
    /// The sender of mails [default: no-reply@HOST].
    #[arg(long, value_name = "ADDRESS")]
    email_from: Option<String>,
    /// The certificate chain in PEM; without it, one is made.
    #[arg(long, value_name = "FILE", requires = "key")]
    certificate: Option<PathBuf>,
    /// The private key of the certificate, in PEM.
    #[arg(long, value_name = "FILE", requires = "certificate")]
    key: Option<PathBuf>,
    /// The slug of the first tenant, which is served at the host itself.
    #[arg(long, value_name = "SLUG", default_value = "main")]
    tenant: String,
    /// The display name of the first tenant [default: the host name].
    #[arg(long, value_name = "NAME")]
    tenant_name: Option<String>,
    /// The user name of the first operator.
    #[arg(long, value_name = "NAME", default_value = "operator")]
    operator: String,
    /// The e-mail address of the first operator, for password resets.
    #[arg(long, value_name = "ADDRESS")]
    operator_email: Option<String>,
    /// The user that the service runs as; root gives the directory to it [default: the user who runs this].
    #[arg(long, value_name = "USER")]
    user: Option<String>,
    /// Print one line of JSON, and ask for nothing.
    #[arg(long)]
    pub json: bool,
}

/// The deployment as it will be.
pub struct Plan {
    pub dir: PathBuf,
    pub host: String,
    pub port: u16,
    pub listen: IpAddr,
    pub database: Secret,
    pub relay: Relay,
    pub sender: String,
    /// Certificate and key that exist already.
    pub given: Option<(PathBuf, PathBuf)>,
    pub tenant: String,
    pub tenant_name: String,
    pub operator: String,
    pub operator_email: Option<String>,
    pub user: Option<String>,
    /// The secret by which proofs of browsers are known.
    pub captcha: Secret,
}

/// The mail relay.
pub struct Relay {
    pub host: String,
    pub port: u16,
    pub username: Option<String>,
    pub password: Option<Secret>,
    /// Whether it was named; without one, this machine stands in.
    pub is_given: bool,
}

impl Plan {
    /// Takes the flags, and asks for the rest where there is a terminal to ask on.
    pub fn of(options: Options) -> Result<Self, Failure> {
        let is_asked = std::io::stdin().is_terminal() && std::io::stderr().is_terminal() && !options.json;
        let (answers, prompts) = (std::io::stdin().lock(), std::io::stderr());
        let mut questions = Questions::new(answers, prompts, is_asked, Hidden::input);
        let dir =
            questions.path(options.dir, "--dir", "Directory of the deployment", Some("/var/lib/svc"))?;
        let host = questions.text(options.host, "--host", "Host name under which people reach it", None)?;
        let host = host_name(&host)?;
        let port = questions.number(options.port, "Port", 443)?;
        let dir = std::path::absolute(&dir)
            .map_err(|error| Failure::new(format!("--dir: {} is not a path: {error}", dir.display())))?;
        let asked = "Database, empty for an SQLite file in the directory";
        let database = questions.secret(options.database_url.filter(is_set), asked)?;
        let relay = questions.optional(options.email_smtp, "Mail relay (host, host:port, user@host:port)")?;
        let relay = Relay::of(relay.as_deref(), options.email_smtp_password.filter(is_set))?;
        let domain = if host.parse::<IpAddr>().is_ok() { "localhost" } else { host.as_str() };
        Ok(Self {
            port,
            listen: options.listen.unwrap_or_else(|| listening(&host)),
            database: database.unwrap_or_else(|| Secret::new(format!("sqlite:{}/svc.db", dir.display()))),
            relay,
            sender: options.email_from.unwrap_or_else(|| format!("no-reply@{domain}")),
            given: options.certificate.zip(options.key),
            tenant: options.tenant,
            tenant_name: options.tenant_name.unwrap_or_else(|| host.clone()),
            operator: options.operator,
            operator_email: options.operator_email,
            user: options.user,
            captcha: Secret::new(svc_keys::token(&SystemEntropy)),
            dir,
            host,
        })
    }

    /// Host and port as an address has them; the port of https is left out.
    pub fn issuer(&self) -> String {
        let host = self.host_in_url();
        if self.port == 443 { format!("https://{host}") } else { format!("https://{host}:{}", self.port) }
    }

    /// The host as it stands in addresses.
    pub fn host_in_url(&self) -> String {
        if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() }
    }

    /// Whether tenants can have names below the host.
    pub fn has_subdomains(&self) -> bool {
        self.host.parse::<IpAddr>().is_err()
    }

    /// The names of the certificate.
    pub fn names(&self) -> Vec<String> {
        let below = self.has_subdomains().then(|| format!("*.{}", self.host));
        [self.host.clone()].into_iter().chain(below).collect()
    }

    /// Whether the database is a server's.
    pub fn is_postgres(&self) -> bool {
        !self.database.expose().starts_with("sqlite:")
    }

    /// What works only after something else is done.
    pub fn remarks(&self) -> Vec<&'static str> {
        let relay = "no mail leaves before [email.smtp] names a relay; it names this machine";
        let password =
            "the relay gets no password before `svc-kms provision email.smtp.password` has taken it";
        let certificate = "browsers accept the certificate only where its authority, tls/ca.pem, is trusted";
        let remarks = [
            (!self.relay.is_given).then_some(relay),
            self.relay.lacks_password().then_some(password),
            self.given.is_none().then_some(certificate),
        ];
        remarks.into_iter().flatten().collect()
    }
}

impl Relay {
    fn of(text: Option<&str>, password: Option<Secret>) -> Result<Self, Failure> {
        let Some(text) = text else {
            if password.is_some() {
                return Err(Failure::new(
                    "--email-smtp-password: there is no relay that takes it; name one by --email-smtp",
                ));
            }
            let host = "localhost".to_owned();
            return Ok(Self { host, port: 587, username: None, password: None, is_given: false });
        };
        let wrong =
            || Failure::new(format!("--email-smtp: {text:?} must be host, host:port or user@host:port"));
        let url = Url::parse(&format!("smtp://{}", text.strip_prefix("smtp://").unwrap_or(text)));
        let url = url.ok().filter(|url| url.path().trim_matches('/').is_empty() && url.query().is_none());
        let url = url.ok_or_else(wrong)?;
        let decoded =
            |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
        let named = (!url.username().is_empty()).then(|| decoded(url.username()));
        Ok(Self {
            host: url.host_str().ok_or_else(wrong)?.to_owned(),
            port: url.port().unwrap_or(587),
            username: named,
            password: url.password().map(|text| Secret::new(decoded(text))).or(password),
            is_given: true,
        })
    }

    /// Whether it knows the service by a name whose password was not given.
    fn lacks_password(&self) -> bool {
        self.username.is_some() && self.password.is_none()
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the form of a value parser")]
fn secret(text: &str) -> Result<Secret, Infallible> {
    Ok(Secret::new(text))
}

/// A variable may be there and empty.
fn is_set(secret: &Secret) -> bool {
    !secret.expose().is_empty()
}

/// The host in the form that addresses have it in, without brackets.
fn host_name(given: &str) -> Result<String, Failure> {
    let wrong =
        || Failure::new(format!("--host: {given:?} must be a host name or an address, without a port"));
    // As programs that ask DNS print it.
    let given = given.strip_suffix('.').unwrap_or(given);
    let bare = given.trim_start_matches('[').trim_end_matches(']');
    if let Ok(ip) = bare.parse::<IpAddr>() {
        if ip.is_unspecified() {
            return Err(Failure::new(format!(
                "--host: {ip} is no address that people reach; give the name under which they do, and this as --listen"
            )));
        }
        return Ok(ip.to_string());
    }
    match Host::parse(given) {
        Ok(Host::Domain(name)) if is_host(&name) => Ok(name),
        _ => Err(wrong()),
    }
}

/// Where a host is listened for: a loopback address at that alone, an address of IPv6 at all of both families.
fn listening(host: &str) -> IpAddr {
    match host.parse::<IpAddr>() {
        Ok(ip) if ip.is_loopback() => ip,
        Ok(IpAddr::V6(_)) => Ipv6Addr::UNSPECIFIED.into(),
        _ if is_local(host) => Ipv4Addr::LOCALHOST.into(),
        _ => Ipv4Addr::UNSPECIFIED.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_or_an_address_without_a_port() {
        for (given, kept) in [
            ("id.example.com", "id.example.com"),
            ("ID.Example.com", "id.example.com"),
            ("id.example.com.", "id.example.com"),
            ("127.0.0.1", "127.0.0.1"),
            ("[::1]", "::1"),
            ("::1", "::1"),
        ] {
            assert_eq!(host_name(given).unwrap(), kept);
        }
        for bad in [
            "",
            ".",
            "id.example.com..",
            "id..example",
            "a_b.example",
            "id.example.com:443",
            "https://id.example.com",
            "a b",
            "*.example.com",
            "0.0.0.0",
            "[::]",
        ] {
            assert!(host_name(bad).unwrap_err().to_string().starts_with("--host: "), "{bad}");
        }
    }

    #[test]
    fn a_host_is_listened_for_where_its_clients_connect_to() {
        for (host, listened) in [
            ("id.example.com", "0.0.0.0"),
            ("192.0.2.1", "0.0.0.0"),
            ("2001:db8::1", "::"),
            ("localhost", "127.0.0.1"),
            ("127.0.0.2", "127.0.0.2"),
            ("::1", "::1"),
        ] {
            assert_eq!(listening(host).to_string(), listened, "{host}");
        }
    }

    #[test]
    fn a_relay_is_a_host_with_a_port_and_a_user_where_they_are_given() {
        let read = |text| {
            let relay = Relay::of(Some(text), None).unwrap();
            (relay.host, relay.port, relay.username, relay.password.map(|secret| secret.expose().to_owned()))
        };
        assert_eq!(read("mail.example"), ("mail.example".to_owned(), 587, None, None));
        assert_eq!(
            read("smtp://ops%40mail.example:s%3Acret@mail.example:465"),
            ("mail.example".to_owned(), 465, Some("ops@mail.example".to_owned()), Some("s:cret".to_owned()))
        );
        for bad in ["", "mail.example:many", "mail.example/path"] {
            assert!(Relay::of(Some(bad), None).is_err(), "{bad}");
        }
        assert!(!Relay::of(None, None).unwrap().is_given);
        let refused = Relay::of(None, Some(Secret::new("secret"))).err().unwrap().to_string();
        assert!(refused.starts_with("--email-smtp-password: "), "{refused}");
        let lacks = |text, password| Relay::of(Some(text), password).unwrap().lacks_password();
        assert!(lacks("ops@mail.example", None) && !lacks("mail.example", None));
        assert!(!lacks("ops@mail.example", Some(Secret::new("secret"))));
    }
}
