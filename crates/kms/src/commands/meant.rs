//! Whether a name is that of a secret of the configuration, and which one it was probably meant to be.

use svc_core::SECRET_NAMES;

use crate::failure::Failure;

/// Refuses a name that the service never asks for: its secret would be missing there all the same.
pub fn check(name: &str) -> Result<(), Failure> {
    if SECRET_NAMES.contains(&numbered(name, "0").as_str()) {
        return Ok(());
    }
    let hint = known_name(name).map_or_else(
        || format!("choose from {}", SECRET_NAMES.join(", ")),
        |known| format!("did you mean {known}?"),
    );
    Err(Failure::new(format!(
        "{name} is no secret of the configuration, and `--any-name` holds it all the same; {hint}"
    )))
}

/// The known name that few typing mistakes lead to, or that this is the end of; none where it is near to none.
fn known_name(name: &str) -> Option<String> {
    let (asked, number) = (numbered(name, "0"), name.split('.').find(|part| is_number(part)));
    let mistakes = |known: &&&str| strsim::damerau_levenshtein(known, &asked);
    let most = 1 + asked.len() / 5;
    let typo = SECRET_NAMES.iter().min_by_key(mistakes).filter(|known| mistakes(known) <= most);
    let end = format!(".{asked}");
    let longer = || SECRET_NAMES.iter().find(|known| known.ends_with(&end));
    typo.or_else(longer).map(|known| numbered(known, number.unwrap_or("0")))
}

/// The name with this number for those that it has.
fn numbered(name: &str, number: &str) -> String {
    let parts: Vec<_> = name.split('.').map(|part| if is_number(part) { number } else { part }).collect();
    parts.join(".")
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_near_to_the_one_that_a_slip_or_a_forgotten_section_has_made_it_of() {
        for (given, known) in [
            ("email.smtp.pasword", Some("email.smtp.password")),
            ("smtp.password", Some("email.smtp.password")),
            ("social.gogle.client_secret", Some("social.google.client_secret")),
            ("chain.2.rpc_url", Some("chains.2.rpc_url")),
            ("chains.rpc_url", Some("chains.0.rpc_url")),
            ("backup", None),
            ("another.program.key", None),
        ] {
            assert_eq!(known_name(given).as_deref(), known, "{given}");
        }
    }

    #[test]
    fn every_secret_of_the_configuration_is_taken_and_another_name_is_told_what_there_is() {
        for name in SECRET_NAMES.iter().chain(&["chains.12.rpc_url"]) {
            assert!(check(name).is_ok(), "{name}");
        }
        let refused = check("nope.key").unwrap_err().to_string();
        assert!(SECRET_NAMES.iter().all(|name| refused.contains(name)), "{refused}");
        let refused = check("smtp.password").unwrap_err().to_string();
        assert!(refused.ends_with("did you mean email.smtp.password?"), "{refused}");
    }
}
