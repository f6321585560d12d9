//! The secret of the configuration that a name was probably meant to be. Other names are provisioned all the same.

use svc_core::SECRET_NAMES;

/// The known name that few typing mistakes lead to, or that this is the end of; none where the name is known, or near to none.
pub fn known_name(name: &str) -> Option<String> {
    let (asked, number) = (numbered(name, "0"), name.split('.').find(|part| is_number(part)));
    if SECRET_NAMES.contains(&asked.as_str()) {
        return None;
    }
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
            ("email.smtp.password", None),
            ("chains.12.rpc_url", None),
            ("backup", None),
            ("another.program.key", None),
        ] {
            assert_eq!(known_name(given).as_deref(), known, "{given}");
        }
    }
}
