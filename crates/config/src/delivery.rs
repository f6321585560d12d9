//! `[email]`, `[phone]`: how messages leave the service.

use std::path::PathBuf;

use toml::Value;

use super::load::choice::choice;
use super::load::section::section;
use super::load::setting::{Setting, text};
use super::load::web::HttpUrl;
use svc_core::{Seconds, Secret};

choice! {
    /// How mail leaves.
    EmailProvider {
        /// It does not: it is written to the log, whole. For development.
        Log = "log",
        /// By SMTP.
        Smtp = "smtp",
    }
}

choice! {
    /// How text messages leave.
    PhoneProvider {
        /// They do not: they are written to a sink, whole. For development.
        Log = "log",
        /// By an HTTP gateway.
        Http = "http",
        /// Text messages are not used.
        None = "none",
    }
}

section! {
    /// How mail leaves the service.
    Email {
        /// "log" writes mail to the log and is refused in production on the auth and the async plane.
        provider: EmailProvider = EmailProvider::Log;
        tables {
            /// The relay for provider "smtp".
            smtp: Smtp;
        }
    }
}

section! {
    /// The mail relay for `email.provider` "smtp".
    Smtp {
        /// Host name.
        host: Option<String> = None;
        /// Port.
        port: u16 = 587, 1..=65535;
        /// User name, when the relay wants one.
        username: Option<String> = None;
        /// Password of that user.
        password: Option<Secret> = None;
        /// Whether the connection must become TLS by STARTTLS. Required in production on the auth and the async plane.
        starttls: bool = true;
        /// Sender of every mail: "Example <no-reply@example.com>".
        from: Option<String> = None;
        /// Time for one mail.
        timeout_secs: Seconds = Seconds(15), 1..=120;
    }
}

section! {
    /// How text messages leave the service.
    Phone {
        /// "log" writes messages to a sink and is refused in production on the auth and the async plane.
        provider: PhoneProvider = PhoneProvider::Log;
        tables {
            /// The sink of provider "log".
            log: PhoneLog;
            /// The gateway of provider "http".
            http: PhoneHttp;
        }
    }
}

section! {
    /// The sink for `phone.provider` "log".
    PhoneLog {
        /// Where messages are written, as JSON Lines with their full bodies.
        sink: Sink = Sink::Stdout;
    }
}

section! {
    /// The gateway for `phone.provider` "http": a POST of {"to", "body"} for each message.
    PhoneHttp {
        /// Address of the gateway: https in production, unless it is on this machine.
        url: Option<HttpUrl> = None;
        /// Bearer token sent with each message.
        bearer_token: Option<Secret> = None;
        /// Signs each message by the suite svc-webhook-v1, so that the gateway knows whose it is.
        signing_secret: Option<Secret> = None;
        /// Time for one message.
        timeout_secs: Seconds = Seconds(10), 1..=60;
    }
}

/// Where text messages go when they are only logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sink {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A file that JSON Lines are appended to.
    File(PathBuf),
}

impl Setting for Sink {
    fn read(value: &Value) -> Result<Self, String> {
        match text(value)? {
            "stdout" => Ok(Self::Stdout),
            "stderr" => Ok(Self::Stderr),
            text => match text.strip_prefix("file:") {
                Some(path) if !path.is_empty() => Ok(Self::File(path.into())),
                _ => Err("is not a sink".to_owned()),
            },
        }
    }

    fn show(&self) -> Option<Value> {
        Some(Value::String(match self {
            Self::Stdout => "stdout".to_owned(),
            Self::Stderr => "stderr".to_owned(),
            Self::File(path) => format!("file:{}", path.display()),
        }))
    }

    fn expects() -> String {
        "\"stdout\", \"stderr\" or \"file:<path>\"".to_owned()
    }

    fn sample() -> Value {
        Value::String("stdout".to_owned())
    }
}
