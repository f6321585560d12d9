//! Clerk: the CSV of its dashboard with `password_digest` and `password_hasher`, or users as its API writes them.

use serde_json::Value;
use svc_core::{Error, Result, Secret};
use svc_domain::claims::profile::Profile;
use svc_domain::people::imports::{Format, InitialStatus, OldPassword, PersonLine};
use svc_keys::{base64url, from_base64, from_hex};

use super::record::{first, flag, list, members, millis, text, username};

/// The hashers whose digests say themselves what they were made by.
const HASHERS: &[&str] = &[
    "bcrypt",
    "bcrypt_sha256_django",
    "argon2",
    "argon2i",
    "argon2id",
    "pbkdf2_sha256_django",
    "scrypt_django",
    "ldap_ssha",
    "sha512crypt",
    "md5crypt",
];

/// The person of a row or of a member of the list.
pub(super) fn person(user: &Value) -> Result<PersonLine> {
    let email = email(user);
    let (number, is_proven_number) = number(user);
    let name = [text(user, "first_name"), text(user, "last_name")].into_iter().flatten();
    Ok(PersonLine {
        external_id: text(user, "id"),
        email_verified: email.as_ref().is_some_and(|email| names(user, "verified_email_addresses", email))
            || is_proven(primary(user, ADDRESSES)),
        email,
        username: username(user, "username"),
        profile: Profile {
            name: name.reduce(|first, last| format!("{first} {last}")),
            given_name: text(user, "first_name"),
            family_name: text(user, "last_name"),
            picture: text(user, "image_url"),
            phone_number_verified: is_proven_number,
            phone_number: number,
            ..Profile::default()
        },
        status: if flag(user, "banned") { InitialStatus::Suspended } else { InitialStatus::Active },
        created_at: millis(user, "created_at"),
        public_metadata: members(user, "public_metadata"),
        private_metadata: members(user, "private_metadata"),
        password_hash: password(user)?,
        totp_secret: text(user, "totp_secret").map(Secret::new),
        ..PersonLine::default()
    })
}

fn password(user: &Value) -> Result<Option<OldPassword>> {
    let Some(digest) = text(user, "password_digest") else { return Ok(None) };
    let hasher = text(user, "password_hasher").unwrap_or_default();
    let plain = |part: &str| Some(part.as_bytes().to_vec());
    let read = match hasher.as_str() {
        // Django's have the same name in the digest, and other parts.
        "pbkdf2_sha1" => {
            phc(&digest, "pbkdf2-sha1", (|salt: &str| from_hex(salt).or_else(|| plain(salt)), from_hex))
        }
        "pbkdf2_sha256" => phc(&digest, "pbkdf2-sha256", (from_base64, from_base64)),
        "pbkdf2_sha512" => phc(&digest, "pbkdf2-sha512", (plain, from_hex)),
        "pbkdf2_sha512_hex" => phc(&digest, "pbkdf2-sha512", (from_hex, from_hex)),
        "scrypt_firebase" => firebase(&digest),
        known if known.is_empty() || HASHERS.contains(&known) => Some(OldPassword::encoded(digest)),
        _ => return Err(Error::bad_request("password_hash: unsupported; the hasher is not known")),
    };
    let malformed =
        || Error::bad_request("password_hash: unsupported; the digest is not as its hasher writes it");
    read.ok_or_else(malformed).map(Some)
}

/// `<name>$<iterations>$<salt>$<hash>`, behind which the length of the hash may stand, as a PHC string; `salt` and `hash` read these parts.
fn phc(
    digest: &str,
    name: &str,
    (salt, hash): (impl Fn(&str) -> Option<Vec<u8>>, impl Fn(&str) -> Option<Vec<u8>>),
) -> Option<OldPassword> {
    let parts: Vec<_> = digest.split('$').collect();
    let &([_, iterations, salted, hashed] | [_, iterations, salted, hashed, _]) = parts.as_slice() else {
        return None;
    };
    let iterations: u32 = iterations.parse().ok()?;
    let (salt, hash) = (base64url(salt(salted)?), base64url(hash(hashed)?));
    Some(OldPassword::encoded(format!("${name}$i={iterations}${salt}${hash}")))
}

/// `<hash>$<salt>$<signer key>$<salt separator>$<rounds>$<memory cost>`, as Firebase writes each of them.
fn firebase(digest: &str) -> Option<OldPassword> {
    let [hash, salt, signer_key, separator, rounds, mem_cost] =
        digest.split('$').collect::<Vec<_>>().try_into().ok()?;
    Some(OldPassword {
        format: Format::FirebaseScrypt,
        value: Some(Secret::new(hash)),
        salt: Some(Secret::new(salt)),
        salt_separator: Some(separator.to_owned()),
        signer_key: Some(Secret::new(signer_key)),
        rounds: Some(rounds.parse().ok()?),
        mem_cost: Some(mem_cost.parse().ok()?),
        ..OldPassword::default()
    })
}

/// Where the API has addresses and numbers: the list, and the id of the first among them.
const ADDRESSES: (&str, &str) = ("email_addresses", "primary_email_address_id");
const NUMBERS: (&str, &str) = ("phone_numbers", "primary_phone_number_id");

fn email(user: &Value) -> Option<String> {
    first(user, &["primary_email_address", "email_address"])
        .or_else(|| text(primary(user, ADDRESSES)?, "email_address"))
}

/// The number, and whether it was proven.
fn number(user: &Value) -> (Option<String>, bool) {
    if let Some(number) = text(user, "primary_phone_number") {
        let is_proven = names(user, "verified_phone_numbers", &number);
        return (Some(number), is_proven);
    }
    let number = primary(user, NUMBERS);
    (number.and_then(|number| text(number, "phone_number")), is_proven(number))
}

/// Whether a column of several names this one, and not just a longer one that contains it.
fn names(user: &Value, column: &str, one: &str) -> bool {
    let several = text(user, column).unwrap_or_default();
    let is_between = |letter: char| letter.is_whitespace() || ",;|[]\"".contains(letter);
    several.split(is_between).any(|other| other.eq_ignore_ascii_case(one))
}

fn primary<'a>(user: &'a Value, (several, primary): (&str, &str)) -> Option<&'a Value> {
    let id = user.get(primary)?;
    list(user, several).iter().find(|one| one.get("id") == Some(id))
}

fn is_proven(one: Option<&Value>) -> bool {
    let status = one.and_then(|one| one.pointer("/verification/status"));
    status.and_then(Value::as_str) == Some("verified")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_digest_that_is_not_as_its_hasher_writes_it_is_refused_and_not_quoted() {
        for (hasher, digest) in [
            ("pbkdf2_sha256", "pbkdf2_sha256$1000$no base64$5VJwb5Xkmtw="),
            ("pbkdf2_sha1", "pbkdf2_sha1$1000$salt$kP4+UnKnmWQ="),
            ("pbkdf2_sha512", "pbkdf2_sha512$many$salt$c0ffee"),
            ("pbkdf2_sha512_hex", "pbkdf2_sha512_hex$1000$salt$c0ffee"),
            ("scrypt_firebase", "hash$salt$key$Bw==$8"),
            ("scrypt_firebase", "hash$salt$key$Bw==$eight$14"),
        ] {
            let row = json!({ "password_digest": digest, "password_hasher": hasher });
            let refused = person(&row).unwrap_err();
            assert_eq!(
                refused.detail(),
                "password_hash: unsupported; the digest is not as its hasher writes it",
                "{hasher}"
            );
        }
    }

    #[test]
    fn only_the_address_and_the_number_that_the_columns_name_are_proven() {
        for (addresses, numbers, is_proven) in [
            ("joann@clerk.example", "+442079460777", false),
            ("joann@clerk.example|ann@clerk.example", "+442079460777,+44207946077", true),
        ] {
            let row = json!({ "primary_email_address": "ann@clerk.example", "primary_phone_number": "+44207946077",
                "verified_email_addresses": addresses, "verified_phone_numbers": numbers });
            let ann = person(&row).unwrap();
            assert_eq!(
                (ann.email_verified, ann.profile.phone_number_verified),
                (is_proven, is_proven),
                "{row}"
            );
            assert_eq!(ann.profile.phone_number.as_deref(), Some("+44207946077"));
        }
    }

    #[test]
    fn the_number_of_a_person_of_the_api_is_the_first_one() {
        let numbers = json!([
            { "id": "idn_1", "phone_number": "+442079460777", "verification": { "status": "unverified" } },
            { "id": "idn_2", "phone_number": "+442079460778", "verification": { "status": "verified" } },
        ]);
        for (id, expected, is_proven) in [
            (json!("idn_1"), Some("+442079460777"), false),
            (json!("idn_2"), Some("+442079460778"), true),
            (json!(null), None, false),
        ] {
            let ann = person(&json!({ "primary_phone_number_id": id, "phone_numbers": numbers })).unwrap();
            assert_eq!(ann.profile.phone_number.as_deref(), expected);
            assert_eq!(ann.profile.phone_number_verified, is_proven);
        }
    }
}
