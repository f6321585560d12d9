//! Where a stream goes, and which secret it needs there.

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result};
use utoipa::ToSchema;

use crate::delivery::webhooks::secret;

/// Where entries go: one of the three.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AuditStreamDestination)]
pub enum Destination {
    /// Batches as JSON, posted and signed like the deliveries of webhooks.
    Webhook(Webhook),
    /// Messages of RFC 5424 over TLS (RFC 5425).
    Syslog(Syslog),
    /// Objects of JSON Lines in storage that speaks the protocol of Amazon S3.
    S3(S3),
}

/// A receiver of batches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AuditStreamWebhook)]
pub struct Webhook {
    /// An https address on a public host.
    #[schema(max_length = 2000)]
    pub url: String,
}

/// A receiver of syslog messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AuditStreamSyslog)]
pub struct Syslog {
    /// A public host, whose certificate has this name.
    #[schema(max_length = 253)]
    pub host: String,
    /// The port; 6514 unless given.
    #[serde(default = "syslog_port")]
    #[schema(minimum = 1, maximum = 65535, default = 6514)]
    pub port: u16,
    /// Authorities that are trusted besides the public ones, as PEM.
    #[serde(default)]
    #[schema(max_length = 65536)]
    pub ca_pem: Option<String>,
    /// The certificates that the service proves itself with, as PEM; the secret is their private key.
    #[serde(default)]
    #[schema(max_length = 65536)]
    pub client_certificate_pem: Option<String>,
    /// The private enterprise number in the names of structured data; 32473, which is for documentation (RFC 5612), unless given.
    #[serde(default = "enterprise_number")]
    #[schema(minimum = 1, maximum = 4_294_967_295_u64, default = 32473)]
    pub enterprise_number: u32,
}

/// A bucket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AuditStreamS3)]
pub struct S3 {
    /// An https address on a public host, such as `https://s3.eu-central-1.amazonaws.com`.
    #[schema(max_length = 500)]
    pub endpoint: String,
    /// The region that requests are signed for.
    #[schema(min_length = 1, max_length = 64)]
    pub region: String,
    /// The bucket.
    #[schema(min_length = 3, max_length = 63)]
    pub bucket: String,
    /// What the names of objects begin with.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub prefix: String,
    /// Whether the bucket stands in the path of the address, and not before its host.
    #[serde(default)]
    pub path_style: bool,
    /// Whether objects are compressed (RFC 1952).
    #[serde(default)]
    pub gzip: bool,
    /// Seconds from one object to the next, unless there is more than an object holds; 60 unless given.
    #[serde(default = "interval_secs")]
    #[schema(minimum = 1, maximum = 3600, default = 60)]
    pub interval_secs: u32,
    /// The public half of the key; the secret is the other.
    #[schema(min_length = 1, max_length = 128)]
    pub access_key_id: String,
}

fn syslog_port() -> u16 {
    6514
}

fn enterprise_number() -> u32 {
    32_473
}

fn interval_secs() -> u32 {
    60
}

impl Destination {
    /// What metrics call it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Webhook(_) => "webhook",
            Self::Syslog(_) => "syslog",
            Self::S3(_) => "s3",
        }
    }

    /// As a sentence names it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Webhook(Webhook { url }) => url.clone(),
            Self::Syslog(Syslog { host, port, .. }) => format!("{host}:{port}"),
            Self::S3(S3 { endpoint, bucket, .. }) => format!("the bucket {bucket} at {endpoint}"),
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        match self {
            Self::Webhook(_) => Ok(()),
            Self::Syslog(syslog) => syslog.check(),
            Self::S3(s3) => s3.check(),
        }
    }

    /// Refuses a secret that this destination cannot use, and none where it needs one.
    pub(super) fn check_secret(&self, given: Option<&str>) -> Result<()> {
        match (self, given) {
            (Self::Webhook(_) | Self::Syslog(Syslog { client_certificate_pem: None, .. }), None) => Ok(()),
            (Self::Webhook(_), Some(given)) => secret::check(given),
            (Self::Syslog(Syslog { client_certificate_pem: None, .. }), Some(_)) => {
                Err(Error::bad_request("secret: it is the key of client_certificate_pem; give both or none"))
            }
            (Self::Syslog(_), Some(key)) => fit("secret", key, (1, 16_384), |_| true),
            (Self::Syslog(_), None) => {
                Err(Error::bad_request("secret: give the private key of client_certificate_pem as PEM"))
            }
            (Self::S3(_), Some(key)) => fit("secret", key, (1, 256), |byte| byte.is_ascii_graphic()),
            (Self::S3(_), None) => {
                Err(Error::bad_request("secret: give the secret access key of the bucket"))
            }
        }
    }

    /// Whether a secret for this destination can stay when it becomes the other.
    pub(super) fn keeps_secret(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Webhook(_), Self::Webhook(_)) => true,
            (Self::Syslog(one), Self::Syslog(other)) => {
                one.client_certificate_pem == other.client_certificate_pem
            }
            (Self::S3(one), Self::S3(other)) => one.access_key_id == other.access_key_id,
            _ => false,
        }
    }
}

impl Syslog {
    fn check(&self) -> Result<()> {
        let Self { host, port, ca_pem, client_certificate_pem, enterprise_number } = self;
        fit("destination.syslog.host", host, (1, 253), |byte| {
            byte.is_ascii_alphanumeric() || b".-:".contains(&byte)
        })?;
        for (name, pem) in [("ca_pem", ca_pem), ("client_certificate_pem", client_certificate_pem)] {
            if let Some(pem) = pem {
                fit(&format!("destination.syslog.{name}"), pem, (1, 65_536), |_| true)?;
            }
        }
        if *port == 0 || *enterprise_number == 0 {
            return Err(Error::bad_request("destination.syslog: port and enterprise_number begin at 1"));
        }
        Ok(())
    }
}

impl S3 {
    fn check(&self) -> Result<()> {
        let Self {
            endpoint: _,
            region,
            bucket,
            prefix,
            path_style: _,
            gzip: _,
            interval_secs,
            access_key_id,
        } = self;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        fit("destination.s3.region", region, (1, 64), is_word)?;
        let of_names = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte);
        fit("destination.s3.bucket", bucket, (3, 63), of_names)?;
        if bucket.contains("..") || bucket.starts_with(['.', '-']) || bucket.ends_with(['.', '-']) {
            return Err(Error::bad_request("destination.s3.bucket: give the name of a bucket"));
        }
        fit("destination.s3.prefix", prefix, (0, 500), |byte| is_word(byte) || b"./=".contains(&byte))?;
        if prefix.split('/').any(|part| matches!(part, "." | "..")) || prefix.starts_with('/') {
            return Err(Error::bad_request(
                "destination.s3.prefix: use neither `.` nor `..`, and no `/` first",
            ));
        }
        if !(1..=3600).contains(interval_secs) {
            return Err(Error::bad_request("destination.s3.interval_secs: give 1 to 3600"));
        }
        fit("destination.s3.access_key_id", access_key_id, (1, 128), is_word)
    }
}

fn fit(name: &str, text: &str, (least, most): (usize, usize), is_fit: impl Fn(u8) -> bool) -> Result<()> {
    if (least..=most).contains(&text.len()) && text.bytes().all(is_fit) {
        return Ok(());
    }
    Err(Error::bad_request(format!("{name}: use {least} to {most} of the characters that belong there")))
}
