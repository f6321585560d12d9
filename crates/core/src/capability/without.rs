//! What a level goes without, by the names of capabilities.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Capability;
use crate::{Error, Result};

/// The capabilities that a level goes without, by name, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>")]
pub struct Without(Vec<String>);

impl Without {
    /// Whether this level keeps a capability. A name that a newer version wrote is none of ours.
    pub fn keeps(&self, capability: &Capability) -> bool {
        self.0.iter().all(|name| name != capability.name)
    }

    /// Whether this level goes without nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses a name that no capability has.
    pub fn check(&self) -> Result<()> {
        match self.0.iter().find(|name| Capability::named(name).is_none()) {
            Some(unknown) => Err(Error::bad_request(format!(
                "disabled_capabilities: {unknown:?} is not one of {}",
                Names(Capability::ALL)
            ))),
            None => Ok(()),
        }
    }

    /// Refuses a name that no capability has, or one that an application cannot go without.
    pub fn check_of_application(&self) -> Result<()> {
        self.check()?;
        let is_not_its_own =
            |capability: &&Capability| !capability.is_of_applications && !self.keeps(capability);
        match Capability::ALL.iter().find(is_not_its_own) {
            Some(capability) => Err(Error::bad_request(format!(
                "disabled_capabilities: {:?} is switched off by the tenant",
                capability.name
            ))),
            None => Ok(()),
        }
    }
}

impl<N: Into<String>> FromIterator<N> for Without {
    fn from_iter<I: IntoIterator<Item = N>>(names: I) -> Self {
        let mut each: Vec<String> = Vec::new();
        for name in names.into_iter().map(Into::into) {
            if !each.contains(&name) {
                each.push(name);
            }
        }
        Self(each)
    }
}

impl From<Vec<String>> for Without {
    fn from(names: Vec<String>) -> Self {
        names.into_iter().collect()
    }
}

struct Names(&'static [Capability]);

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|capability| capability.name).collect();
        f.write_str(&names.join(", "))
    }
}
