//! Every key there is, and the one that was probably meant.

use super::fault::{Fault, Source};
use super::reader::{Entry, Given, Layers, Raw, Reader};
use crate::read_sections;
use crate::removed;

/// The names of all keys and sections; indexes of repeated sections are written `[]`.
pub struct Known {
    keys: Vec<String>,
    sections: Vec<String>,
}

impl Known {
    /// Asks the sections themselves.
    pub fn new() -> Self {
        let (mut keys, mut sections) = (Vec::new(), Vec::new());
        for entry in describe() {
            match entry {
                Entry::Section { path, .. } => sections.push(path),
                Entry::Key { path, .. } => keys.push(path),
            }
        }
        Self { keys, sections }
    }

    /// Whether `path` is a key, or a repeated section, which is given whole.
    pub fn has(&self, path: &str) -> bool {
        self.keys.iter().any(|key| key == path) || self.sections.contains(&format!("{path}[]"))
    }

    /// The key that a variable with single underscores was meant to name.
    pub fn with_single_underscores(&self, path: &str) -> Option<&str> {
        self.keys.iter().map(String::as_str).find(|key| key.replace('.', "_") == path)
    }

    /// Faults for what was given and no section asked for.
    pub fn faults(&self, unread: Layers) -> Vec<Fault> {
        unread.into_iter().filter_map(|(path, given)| self.fault(&path, given)).collect()
    }

    fn fault(&self, path: &str, given: Given) -> Option<Fault> {
        let is_section = self.sections.iter().any(|section| section == path);
        if is_section && matches!(&given.raw, Raw::Toml(toml::Value::Table(table)) if table.is_empty()) {
            return None;
        }
        if let Some(fault) = removed::fault(&env_name(path)) {
            return Some(fault.from(given.source));
        }
        let in_env = matches!(given.source, Source::Env(_));
        let spelt = |key: &str| if in_env { env_name(key) } else { key.to_owned() };
        let (what, fix) = match self.nearest(&indexless(path)) {
            _ if is_section => ("is a section, not a key", "put keys under it".to_owned()),
            Some(key) => ("is not a key", format!("did you mean {}?", spelt(key))),
            None => ("is not a key", "delete it; svc.example.toml lists every key".to_owned()),
        };
        Some(Fault::new(path, what, fix).from(given.source))
    }

    /// One of the same section that is close, else the name that fewest typing mistakes lead to, else the same name in
    /// another section.
    fn nearest(&self, path: &str) -> Option<&str> {
        let close = |key: &&String| strsim::damerau_levenshtein(key, path);
        let most_mistakes = 1 + path.len() / 5;
        let typo = self.keys.iter().min_by_key(close).filter(|key| close(key) <= most_mistakes);
        let moved = self.keys.iter().find(|key| divided(key).1 == divided(path).1);
        self.neighbour(path).or(typo.or(moved).map(String::as_str))
    }

    /// The key of the same section whose name is misspelt, or cut short.
    fn neighbour(&self, path: &str) -> Option<&str> {
        let (section, name) = divided(path);
        let neighbours = || self.keys.iter().map(String::as_str).filter(move |key| divided(key).0 == section);
        let close = |key: &&str| strsim::damerau_levenshtein(divided(key).1, name);
        let most_mistakes = 1 + name.len() / 4;
        let typo = neighbours().min_by_key(close).filter(|key| close(key) <= most_mistakes);
        typo.or_else(|| neighbours().find(|key| name.len() > 2 && divided(key).1.starts_with(name)))
    }
}

/// The section of a key, and its name there.
fn divided(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or(("", path))
}

/// The key table with defaults, in the order of the example file.
pub fn describe() -> Vec<Entry> {
    let mut reader = Reader::describing();
    read_sections(&mut reader);
    reader.finish().0
}

/// The environment variable of a key.
pub fn env_name(path: &str) -> String {
    format!("SVC_{}", path.replace('.', "__").to_uppercase())
}

/// The name under which `svc-kms` holds the secret of a key. Names have no brackets: `chains[0].rpc_url` is `chains.0.rpc_url`.
pub fn held_as(path: &str) -> String {
    path.replace('[', ".").replace(']', "")
}

fn indexless(path: &str) -> String {
    path.split('.')
        .map(|part| part.split_once('[').map_or_else(|| part.to_owned(), |(name, _)| format!("{name}[]")))
        .collect::<Vec<_>>()
        .join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_mistake_and_a_wrong_section_are_recognised() {
        let known = Known::new();
        assert_eq!(known.nearest("server.prot"), Some("server.port"));
        assert_eq!(known.nearest("sever.allowed_host"), Some("server.allowed_hosts"));
        assert_eq!(known.nearest("server.issuer_url"), Some("oidc.issuer_url"));
        assert_eq!(known.nearest("chains[].chain_di"), Some("chains[].chain_id"));
        assert_eq!(known.nearest("zzz.qqqqqqqq"), None);
    }

    #[test]
    fn a_near_key_of_the_same_section_comes_before_one_of_another() {
        let keys = ["login.attempts", "logins.attempts_max", "kms.socket_path", "dns.socket"];
        let known = Known { keys: keys.map(str::to_owned).to_vec(), sections: Vec::new() };
        assert_eq!(known.nearest("logins.attempts"), Some("logins.attempts_max"));
        assert_eq!(known.nearest("kms.socket"), Some("kms.socket_path"));
        assert_eq!(known.nearest("kms.sokcet_path"), Some("kms.socket_path"));
        assert_eq!(known.nearest("dms.socket"), Some("dns.socket"));
    }

    #[test]
    fn a_secret_of_a_repeated_section_is_held_by_its_position() {
        assert_eq!(held_as("email.smtp.password"), "email.smtp.password");
        assert_eq!(
            held_as("generic_oauth.providers[1].client_secret"),
            "generic_oauth.providers.1.client_secret"
        );
    }

    #[test]
    fn svc_kms_knows_the_secrets_of_the_configuration_by_their_names() {
        let secrets = describe().into_iter().filter_map(|entry| match entry {
            Entry::Key { path, is_secret: true, .. } => Some(held_as(&path.replace("[]", "[0]"))),
            Entry::Key { .. } | Entry::Section { .. } => None,
        });
        assert_eq!(secrets.collect::<Vec<_>>(), svc_core::SECRET_NAMES);
    }

    #[test]
    fn every_name_is_unique() {
        let known = Known::new();
        let mut names = [known.keys, known.sections].concat();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
