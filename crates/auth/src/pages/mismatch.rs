//! What a client sent and what is registered, side by side: an address is compared character for character.

use super::declare::page;
use super::values::{Line, Paragraph};

page! {
    /// An address that is none of those that are registered.
    pub struct Mismatch {
        /// As far as it is like the closest registered one.
        pub same: Line,
        /// From where it differs.
        pub other: Line,
        /// What is registered.
        pub registered: Vec<Paragraph>,
    }
}

impl Mismatch {
    /// Compares what was sent with what is registered.
    pub fn between(sent: &str, registered: &[String]) -> Self {
        let alike = |known: &String| {
            let pairs = sent.chars().zip(known.chars()).take_while(|(sent, known)| sent == known);
            pairs.map(|(sent, _)| sent.len_utf8()).sum::<usize>()
        };
        let (same, other) = sent.split_at(registered.iter().map(alike).max().unwrap_or_default());
        let registered = registered.iter().map(Into::into).collect();
        Self { same: same.into(), other: other.into(), registered }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_begins_where_the_closest_registered_address_ends_to_be_alike() {
        let registered = ["https://app.example/cb", "https://other.example/cb"].map(str::to_owned);
        let parts = |sent: &str, registered: &[String]| {
            let Mismatch { same, other, .. } = Mismatch::between(sent, registered);
            (same, other)
        };
        let alike = parts("https://app.example/callback", &registered);
        assert_eq!(alike, ("https://app.example/c".into(), "allback".into()));
        assert_eq!(parts("https://äpp.example", &registered), ("https://".into(), "äpp.example".into()));
        assert_eq!(parts("x", &[]), ("".into(), "x".into()));
    }
}
