//! Phone numbers (ITU-T E.164): one that an account has proven is a credential of it, and stands in its profile.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::text::{is_dash, is_mark};
use svc_core::{AccountId, Cx, Error, Result};
use svc_db::{Tenant, Tx};

use crate::claims::profile::Profile;
use crate::people::changes;
use crate::people::credentials::{self, Credential, Kind, NewCredential, Owner};
use crate::people::tenant_users::Person;

/// A number in the form in which it is unique: `+` and 8 to 15 digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoneNumber(String);

impl PhoneNumber {
    /// Parses what a person typed, or copied from their contacts: digits may be set apart, and marks that order them come along.
    pub fn parse(text: &str) -> Result<Self> {
        let invalid = || Error::bad_request("phone_number: give a number such as +442079460123");
        let shown: String = text.chars().filter(|char| !is_mark(*char)).collect();
        let rest = shown.trim().strip_prefix('+').ok_or_else(invalid)?;
        let is_apart =
            |char: char| is_dash(char) || matches!(char, ' ' | '\u{a0}' | '\u{202f}' | '.' | '(' | ')' | '/');
        let digits: String = without_trunk_prefix(rest).chars().filter(|char| !is_apart(*char)).collect();
        let is_number = (8..=15).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && !digits.starts_with('0');
        if is_number { Ok(Self(format!("+{digits}"))) } else { Err(invalid()) }
    }

    /// The number.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last digits, by which its owner recognises it.
    pub fn end(&self) -> &str {
        self.0.get(self.0.len() - 3..).unwrap_or_default()
    }

    /// An imported number stands in the document: it is found in its tenant alone.
    fn of(credential: &Credential) -> Option<Self> {
        let lookup = credential.lookup.clone().filter(|_| credential.kind == Some(Kind::Phone))?;
        let said = credential.document::<Imported>().ok().map(|imported| imported.number);
        Self::parse(&said.or_else(|| String::from_utf8(lookup).ok())?).ok()
    }

    pub(in crate::people) fn lookup(&self) -> Vec<u8> {
        self.0.as_bytes().to_vec()
    }
}

/// The number without the zero that is dialled within the country alone, as many are printed: +49 (0)30. In Italy it is part of the number.
fn without_trunk_prefix(number: &str) -> String {
    if number.trim_start().starts_with("39") { number.to_owned() } else { number.replacen("(0)", "", 1) }
}

impl fmt::Display for PhoneNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is kept of a number that its tenant vouches for.
#[derive(Serialize, Deserialize)]
pub(in crate::people) struct Imported {
    /// The number.
    pub number: String,
}

/// The number that an account has proven.
pub async fn of_account<S>(tx: &mut Tx<S>, account: AccountId) -> Result<Option<PhoneNumber>> {
    let all = credentials::of_account(tx, account).await?;
    Ok(all.iter().rev().find_map(PhoneNumber::of))
}

/// What an account has proven a number by.
pub async fn find(tx: &mut Tx<Tenant>, number: &PhoneNumber) -> Result<Option<Credential>> {
    credentials::find_by_lookup(tx, Kind::Phone, &number.lookup()).await
}

/// Gives the account a number that its owner has proven, in the place of the one before. `conflict` where another account has it.
pub async fn set(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, number: &PhoneNumber) -> Result<()> {
    let owner = Owner::from(person);
    // Before the profile, as where a number is removed.
    let all = credentials::held_of_account(tx, owner.account).await?;
    let present = changes::held_profile(tx, person).await?;
    if let Some(former) = all.iter().find(|credential| PhoneNumber::of(credential).is_some()) {
        credentials::remove_all(tx, cx, owner, Kind::Phone).await?;
        credentials::remove_stand_ins(tx, cx, owner, (former, &all)).await?;
    }
    let new = NewCredential {
        id: cx.id(),
        kind: Kind::Phone,
        lookup: Some(number.lookup()),
        name: number.as_str(),
        document: &json!({}),
        sealed: None,
        mark: 0,
        expires_at: None,
    };
    credentials::add(tx, cx, owner, new).await?;
    let phone_number = Some(number.as_str().to_owned());
    let profile = Profile { phone_number, phone_number_verified: true, ..present };
    changes::set_profile(tx, cx, person, &profile).await.map(drop)
}

/// Takes a number whose credential was removed out of the profile, unless that has another by now.
pub async fn removed(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, credential: &Credential) -> Result<()> {
    let (number, present) = (PhoneNumber::of(credential), changes::held_profile(tx, person).await?);
    if number.as_ref().map(PhoneNumber::as_str) != present.phone_number.as_deref() {
        return Ok(());
    }
    let profile = Profile { phone_number: None, phone_number_verified: false, ..present };
    changes::set_profile(tx, cx, person, &profile).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_one_form_however_it_is_typed() {
        for typed in [
            "+442079460123",
            " +44 20 7946 0123 ",
            "+44 (20) 7946-0123",
            "+44.20.7946/0123",
            "\u{202A}+44 20 7946 0123\u{202C}",
            "\u{2068}+44\u{2011}20\u{2011}7946\u{2011}0123\u{2069}",
        ] {
            assert_eq!(PhoneNumber::parse(typed).unwrap().as_str(), "+442079460123", "{typed}");
        }
        assert_eq!(PhoneNumber::parse("+442079460123").unwrap().end(), "123");
    }

    #[test]
    fn the_zero_of_calls_within_a_country_is_no_digit_of_the_number() {
        for (typed, number) in [
            ("+44 (0)20 7946 0123", "+442079460123"),
            ("+49 (0) 30 123456", "+4930123456"),
            ("+39 (0)6 1234 5678", "+390612345678"),
        ] {
            assert_eq!(PhoneNumber::parse(typed).unwrap().as_str(), number, "{typed}");
        }
    }

    #[test]
    fn what_is_no_number_of_e_164_is_refused() {
        for bad in [
            "",
            "+",
            "442079460123",
            "00442079460123",
            "+1234567",
            "+1234567890123456",
            "+0442079460123",
            "+44207946012a",
            "+44 20 7946 0123 ext 4",
            "+４４2079460123",
            "++442079460123",
            "+44\n2079460123",
        ] {
            assert!(PhoneNumber::parse(bad).is_err(), "{bad:?}");
        }
    }
}
