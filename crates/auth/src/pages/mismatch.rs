//! What a client sent and what is registered, side by side: an address is compared character for character.

use serde::Serialize;

use super::gates;

/// An address that is none of those that are registered.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Mismatch<'a> {
    /// As far as it is like the closest registered one.
    #[serde(serialize_with = "gates::line")]
    pub same: &'a str,
    /// From where it differs.
    #[serde(serialize_with = "gates::line")]
    pub other: &'a str,
    /// What is registered.
    #[serde(serialize_with = "gates::lines")]
    pub registered: &'a [&'a str],
}

impl<'a> Mismatch<'a> {
    /// Compares what was sent with what is registered.
    pub fn between(sent: &'a str, registered: &'a [&'a str]) -> Self {
        let alike = |known: &&str| {
            let pairs = sent.chars().zip(known.chars()).take_while(|(sent, known)| sent == known);
            pairs.map(|(sent, _)| sent.len_utf8()).sum::<usize>()
        };
        let (same, other) = sent.split_at(registered.iter().map(alike).max().unwrap_or_default());
        Self { same, other, registered }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_begins_where_the_closest_registered_address_ends_to_be_alike() {
        let registered = ["https://app.example/cb", "https://other.example/cb"];
        let mismatch = Mismatch::between("https://app.example/callback", &registered);
        assert_eq!((mismatch.same, mismatch.other), ("https://app.example/c", "allback"));
        let mismatch = Mismatch::between("https://äpp.example", &registered);
        assert_eq!((mismatch.same, mismatch.other), ("https://", "äpp.example"));
        assert_eq!(Mismatch::between("x", &[]).other, "x");
    }
}
