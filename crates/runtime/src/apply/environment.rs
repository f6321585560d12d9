//! Secrets that a file gives, in its own text or in variables of the environment.

use serde::{Deserialize as _, Deserializer};
use svc_core::Secret;

/// Reads the secret of an application. An empty one would let everyone be that application.
pub(super) fn from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    let secret = Secret::deserialize(deserializer)?;
    if secret.expose().is_empty() {
        return Err(serde::de::Error::custom("it is empty; leave it out, and one is made"));
    }
    Ok(Some(secret))
}

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

#[cfg(test)]
mod tests {
    use super::super::file::Seed;

    #[test]
    fn an_empty_secret_of_an_application_is_refused_at_its_line() {
        let text =
            "[[tenant]]\nslug = 'a'\nname = 'A'\n[[tenant.application]]\nhandle = 'x'\nname = 'X'\nsecret = ";
        let refused = Seed::parse(&format!("{text}''\n")).unwrap_err().to_string();
        let expected =
            "line 7: tenant \"a\": application \"x\": secret: it is empty; leave it out, and one is made";
        assert_eq!(refused, expected);
        assert!(Seed::parse(&format!("{text}'s'\n")).is_ok());
    }
}
