//! The person to whom a flow belongs.

use svc_domain::people::sessions::Session;

/// Whose flow it is.
pub enum Who {
    /// No one has signed in yet.
    Unauthenticated,
    /// The person's of this session.
    One(Box<Session>),
    /// Nothing says whose: the person chooses.
    Open,
}

impl Who {
    /// The session, if there is one.
    pub fn session(&self) -> Option<&Session> {
        match self {
            Self::One(session) => Some(session),
            Self::Unauthenticated | Self::Open => None,
        }
    }
}

impl From<Option<&Session>> for Who {
    fn from(session: Option<&Session>) -> Self {
        session.map_or(Self::Unauthenticated, |session| Self::One(Box::new(session.clone())))
    }
}
