//! How mail leaves: to a relay, to standard output, or into an inbox in memory.

mod inbox;
mod log;
#[cfg(test)]
pub(crate) mod relay;
mod smtp;

use std::sync::Arc;

use svc_config::{Config, EmailProvider};
use svc_core::{MailId, Result, Timestamp};
use svc_domain::delivery::mails::NewMail;

pub use self::inbox::{Inbox, InboxMail, InboxText};
pub use self::smtp::Smtp;

/// The mail transport.
#[derive(Clone)]
pub enum Mailer {
    /// Writes mails to standard output, whole.
    Log,
    /// Hands mails to a relay.
    Smtp(Smtp),
    /// Keeps mails in memory, for development and tests.
    Inbox(Arc<Inbox>),
    /// Hands mails to a relay, and shows in memory what it took.
    Shown(Smtp, Arc<Inbox>),
}

/// A mail on its way.
#[derive(Clone, Copy, Debug)]
pub struct Letter<'a> {
    /// Its id: the same in every attempt, so that receivers recognise a mail that comes twice.
    pub id: MailId,
    /// Recipient and content.
    pub mail: &'a NewMail,
    /// When this attempt is made.
    pub at: Timestamp,
}

impl Mailer {
    /// The transport of `[email]`. To be called within the runtime, on which the relay's connections are tended.
    pub fn from_config(config: &Config) -> Result<Self> {
        match config.email.provider {
            EmailProvider::Log => Ok(Self::Log),
            EmailProvider::Smtp => {
                Smtp::new(&config.email.smtp, config.server.tls.ca_pem_path.as_deref()).map(Self::Smtp)
            }
        }
    }

    /// The same with an inbox for development: mails go to a relay only where one is configured.
    pub fn with_inbox(config: &Config, inbox: Arc<Inbox>) -> Result<Self> {
        Ok(match Self::from_config(config)? {
            Self::Smtp(relay) => Self::Shown(relay, inbox),
            _ => Self::Inbox(inbox),
        })
    }

    /// The inbox, where there is one.
    pub fn inbox(&self) -> Option<&Inbox> {
        match self {
            Self::Inbox(inbox) | Self::Shown(_, inbox) => Some(inbox),
            Self::Log | Self::Smtp(_) => None,
        }
    }

    /// Greets the relay as before a mail, and sends none.
    pub async fn try_out(&self) -> Result<()> {
        match self {
            Self::Smtp(relay) | Self::Shown(relay, _) => relay.try_out().await,
            Self::Log | Self::Inbox(_) => Ok(()),
        }
    }

    /// Sends a mail; success means that it is no longer ours to keep.
    pub async fn send(&self, letter: &Letter<'_>) -> Result<()> {
        match self {
            Self::Log => log::print(letter),
            Self::Smtp(relay) => relay.send(letter).await,
            Self::Inbox(inbox) => {
                inbox.keep(letter);
                Ok(())
            }
            Self::Shown(relay, inbox) => {
                relay.send(letter).await?;
                inbox.keep(letter);
                Ok(())
            }
        }
    }
}
