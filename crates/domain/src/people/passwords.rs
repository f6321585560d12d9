//! What a new password must be: long enough, not guessable, kept whole (NIST SP 800-63B §3.1.1).

use svc_core::{Error, Result, Secret};
use unicode_normalization::UnicodeNormalization as _;

/// Fewest characters.
pub const SHORTEST: usize = 8;
/// Most bytes; longer input is refused, never cut.
pub const LONGEST: usize = 1024;
/// zxcvbn scores run from 0 to 4; 3 resists 10¹⁰ guesses.
const WEAKEST_SCORE: u8 = 2;
/// Fewest characters of a word that is looked for in a password.
const SHORTEST_WORD: usize = 3;

/// The form in which a password is looked at, hashed and compared. Keyboards and programs write one letter in several ways (N with tilde
/// as one character or as two), so that it is Unicode's NFC, wherever the password comes from.
pub fn normal(password: &Secret) -> Secret {
    Secret::new(password.expose().nfc().collect::<String>())
}

/// Refuses a password that is too short, too long or easily guessed; `about` is what an attacker knows of the person.
pub fn check(password: &Secret, about: &[&str]) -> Result<()> {
    let text = password.expose();
    if text.chars().count() < SHORTEST {
        return Err(Error::bad_request("password: use at least 8 characters"));
    }
    if text.len() > LONGEST {
        return Err(Error::bad_request("password: use at most 1024 bytes"));
    }
    // Guessing effort grows with length; 100 characters decide, and bound the work.
    let head: String = text.chars().take(100).collect();
    if u8::from(zxcvbn::zxcvbn(&head, &words(about)).score()) < WEAKEST_SCORE {
        return Err(Error::bad_request("password: this is easily guessed; use more words or characters"));
    }
    Ok(())
}

/// What an attacker tries first of that: an address and a full name as they stand, and each of their words.
fn words<'a>(about: &[&'a str]) -> Vec<&'a str> {
    let whole = about.iter().copied();
    let local = whole.clone().filter_map(|text| text.split_once('@')).map(|(local, _)| local);
    let parts = whole.clone().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
    whole.chain(local).chain(parts.filter(|part| part.chars().count() >= SHORTEST_WORD)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guessable_short_and_overlong_passwords_are_refused() {
        for bad in ["short", "password", "12345678", "adalovelace", &"a".repeat(LONGEST + 1)] {
            assert!(check(&Secret::new(bad), &["ada", "lovelace"]).is_err(), "{bad}");
        }
        assert!(check(&Secret::new("correct horse battery staple"), &[]).is_ok());
    }

    #[test]
    fn a_password_of_the_words_of_name_and_address_is_refused() {
        let about = ["zbigniew.kowalczyk7@firma.example", "Zbigniew Kowalczyk"];
        for bad in ["zbigniew.kowalczyk7", "kowalczyk7", "Kowalczyk", "ZbigniewKowalczyk", "kowalczyk2024"] {
            assert!(check(&Secret::new(bad), &about).is_err(), "{bad}");
        }
        assert!(check(&Secret::new("zbigniew.kowalczyk7"), &["ada@main.example"]).is_ok());
        assert!(check(&Secret::new("kowalczyk rides seven bicycles"), &about).is_ok());
    }

    #[test]
    fn composed_and_decomposed_letters_are_one_password() {
        let normal = |text: &str| normal(&Secret::new(text)).expose().to_owned();
        assert_eq!(normal("man\u{303}ana"), "ma\u{f1}ana");
        assert_eq!(normal(" Aa "), " Aa ");
    }
}
