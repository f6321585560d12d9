//! Secrets of a file that stand in variables of the environment.

use serde::{Deserialize as _, Deserializer};
use svc_core::Secret;

/// Reads the name of a variable, and takes the secret out of it.
pub(super) fn from_environment<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Secret>, D::Error> {
    let name = String::deserialize(deserializer)?;
    variable_of(&name).map(Some).map_err(serde::de::Error::custom)
}

fn variable_of(name: &str) -> Result<Secret, String> {
    let value = std::env::var(name).ok().filter(|value| !value.is_empty());
    value.map(Secret::new).ok_or_else(|| format!("the environment variable {name} is not set"))
}
