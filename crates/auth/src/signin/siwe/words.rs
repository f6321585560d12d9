//! Words of the binary interface of contracts, and the one by which a contract takes a signature for its own (ERC-1271).

/// The selector of `isValidSignature(bytes32,bytes)`, which is its answer as well.
pub(super) const MAGIC: &str = "1626ba7e";
/// A word has 32 bytes.
pub(super) const WORD: usize = 32;

/// A number as a word.
pub(super) fn word(number: usize) -> String {
    format!("{number:064x}")
}

/// Whether the answer is one word that begins with the magic value and has nothing after it.
pub(super) fn is_magic(result: &str) -> bool {
    let digits = result.strip_prefix("0x").unwrap_or_default();
    digits.eq_ignore_ascii_case(&format!("{MAGIC}{:0<56}", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_magic_word_is_a_yes() {
        let magic = format!("0x1626ba7e{}", "0".repeat(56));
        assert!(is_magic(&magic) && is_magic(&magic.replace("ba7e", "BA7E")));
        for no in [
            "",
            "0x",
            "0x1626ba7e",
            &magic[2..],
            &format!("{magic}00"),
            &magic.replace("1626", "1627"),
            &format!("0x1626ba7e{}1", "0".repeat(55)),
            &format!("0x{}1626ba7e", "0".repeat(56)),
            &format!("0x{}1", "0".repeat(63)),
        ] {
            assert!(!is_magic(no), "{no}");
        }
    }
}
