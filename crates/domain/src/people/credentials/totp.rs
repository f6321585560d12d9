//! One-time codes of an app (RFC 6238): a secret that both sides hold, and a code for each step of time.

use serde::{Deserialize, Serialize};
use svc_core::text::one_time_code;
use svc_core::{CredentialId, Cx, Entropy, Error, OrInternal as _, Result, Secret, Timestamp};
use svc_keys::keyring::{Cell, Sealed, Sealer};
use totp_rs::{Algorithm, Builder, Totp};

/// Bytes of a new secret: as long as the hash of HMAC-SHA-1 (RFC 4226 §4).
const SECRET_BYTES: usize = 20;

/// Most bytes of a name in an address. A QR code holds some 2,300 letters, a byte takes up to three of them, and the issuer stands
/// there twice.
const LONGEST_LABEL: usize = 240;

/// How an app computes codes; apps that people scan a code with have the defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Parameters {
    /// `SHA1`, `SHA256` or `SHA512`.
    pub algorithm: String,
    /// Digits of a code, 6 to 8.
    pub digits: u8,
    /// Seconds of a step.
    pub period: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { algorithm: "SHA1".to_owned(), digits: 6, period: 30 }
    }
}

/// A new secret in base32, as apps take it.
pub fn new_secret(entropy: &dyn Entropy) -> Secret {
    let mut bytes = [0; SECRET_BYTES];
    entropy.fill(&mut bytes);
    Secret::new(totp_rs::Secret::new_stack(bytes).to_base32())
}

/// The address that apps read from a QR code: what the code is for, and whose it is.
pub fn url(secret: &Secret, (issuer, account): (&str, &str)) -> Result<String> {
    let builder = builder(secret, &Parameters::default(), 0)?;
    let totp = builder.with_issuer(Some(label(issuer))).with_account_name(label(account)).build();
    totp.or_internal()?.to_url().or_internal()
}

/// A name as it stands in an address, where a colon separates the two.
fn label(name: &str) -> String {
    let mut bytes = 0;
    let fits = |letter: &char| {
        bytes += letter.len_utf8();
        bytes <= LONGEST_LABEL
    };
    name.replace(':', " ").chars().take_while(fits).collect()
}

/// The step that a code is of, within `skew` steps of `now`; `None` for a wrong code. The caller sees to it that a step counts
/// once (RFC 6238 §5.2).
pub fn step(
    secret: &Secret,
    parameters: &Parameters,
    (code, skew, now): (&str, u32, Timestamp),
) -> Result<Option<i64>> {
    let code = one_time_code(code);
    let skew = u16::try_from(skew).or_internal()?;
    // An imported secret may be shorter than what we would make.
    let totp: Totp = builder(secret, parameters, skew)?.build_noncompliant();
    let seconds = u64::try_from(now.as_secs()).or_internal()?;
    totp.check(&code, seconds).map(|step| i64::try_from(step).or_internal()).transpose()
}

/// Whether codes can be computed by these parameters, for those that come from elsewhere.
pub fn check(secret: &Secret, parameters: &Parameters) -> Result<()> {
    let is_known = (6..=8).contains(&parameters.digits) && (15..=120).contains(&parameters.period);
    if !is_known {
        return Err(Error::bad_request("totp: give 6 to 8 digits and a period of 15 to 120 seconds"));
    }
    builder(secret, parameters, 0).map(|_| ())
}

/// Whether a secret that comes from elsewhere is one: 80 bits were usual before RFC 4226 asked for 128.
pub fn is_long_enough(secret: &Secret) -> bool {
    let bytes = totp_rs::Secret::try_from_base32(secret.expose());
    bytes.is_ok_and(|secret| (10..=128).contains(&secret.as_bytes().len()))
}

/// Some bytes as the secret that apps are given.
pub fn base32(bytes: &[u8]) -> String {
    totp_rs::Secret::new(bytes.into()).to_base32()
}

/// Seals the secret of a credential.
pub fn seal(secret: &Secret, id: CredentialId, sealer: &Sealer, cx: &Cx) -> Result<Vec<u8>> {
    let record = id.to_string();
    Ok(Sealed::new(&secret.expose().to_owned(), &cell(&record), sealer, cx)?.into_column())
}

/// Opens it.
pub fn open(column: Vec<u8>, id: CredentialId, sealer: &Sealer) -> Result<Secret> {
    let record = id.to_string();
    let secret: String = Sealed::from_column(column).open(&cell(&record), sealer)?;
    Ok(Secret::new(secret))
}

/// Accounts are the deployment's, and so is the key.
fn cell(record: &str) -> Cell<'_> {
    Cell { table: "account_credentials", column: "sealed", tenant: "", record }
}

fn builder(secret: &Secret, parameters: &Parameters, skew: u16) -> Result<Builder> {
    let algorithm = match parameters.algorithm.as_str() {
        "SHA1" => Algorithm::SHA1,
        "SHA256" => Algorithm::SHA256,
        "SHA512" => Algorithm::SHA512,
        _ => return Err(Error::bad_request("totp: algorithm is SHA1, SHA256 or SHA512")),
    };
    let secret = totp_rs::Secret::try_from_base32(secret.expose())
        .map_err(|_| Error::bad_request("totp: give the secret in base32"))?;
    Ok(Builder::new()
        .with_algorithm(algorithm)
        .with_digits(parameters.digits)
        .with_step_duration(parameters.period)
        .with_skew(skew)
        .with_secret(secret))
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;

    use super::*;

    /// The secret of RFC 6238, Appendix B.
    const SECRET: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_secs(seconds)
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        let (secret, eight) = (Secret::new(SECRET), Parameters { digits: 8, ..Parameters::default() });
        for (time, code) in [(59, "94287082"), (1_111_111_109, "07081804"), (20_000_000_000, "65353130")] {
            assert_eq!(step(&secret, &eight, (code, 0, at(time))).unwrap(), Some(time / 30));
        }
    }

    #[test]
    fn a_code_is_taken_one_step_early_or_late_and_no_more() {
        let (secret, six) = (Secret::new(SECRET), Parameters::default());
        for code in [
            "287082",
            "287 082",
            "\u{2068}287082\u{2069}",
            "\u{FF12}\u{FF18}\u{FF17}\u{FF10}\u{FF18}\u{FF12}",
        ] {
            assert_eq!(step(&secret, &six, (code, 1, at(59))).unwrap(), Some(1), "{code:?}");
        }
        let code = "287 082";
        for (time, found) in [(0, Some(1)), (29, Some(1)), (59, Some(1)), (89, Some(1)), (90, None)] {
            assert_eq!(step(&secret, &six, (code, 1, at(time))).unwrap(), found, "{time}");
        }
        assert_eq!(step(&secret, &six, ("287082", 0, at(29))).unwrap(), None);
        assert_eq!(step(&secret, &six, ("", 1, at(59))).unwrap(), None);
        assert_eq!(step(&secret, &six, ("94287082", 1, at(59))).unwrap(), None);
    }

    #[test]
    fn an_app_reads_issuer_and_account_from_the_address() {
        let secret = new_secret(&SeededEntropy::new(1));
        let url = url(&secret, ("Acme: sign-in", "ada@example.com")).unwrap();
        assert!(url.starts_with("otpauth://totp/Acme%20%20sign-in:ada%40example.com?secret="), "{url}");
        assert!(url.contains(secret.expose()));
    }

    #[test]
    fn an_address_fits_into_a_qr_code_however_long_the_names_are() {
        let secret = new_secret(&SeededEntropy::new(1));
        for letter in ["x", "Ж", "編", "🔑"] {
            let name = letter.repeat(200);
            let url = url(&secret, (&name, &name)).unwrap();
            // Version 40 at level M (ISO/IEC 18004).
            assert!(url.len() <= 2331, "{letter}: {}", url.len());
        }
        let whole = "x".repeat(200);
        assert!(url(&secret, (&whole, "ada")).unwrap().ends_with(&format!("&issuer={whole}")));
    }

    #[test]
    fn parameters_that_no_app_has_are_refused() {
        let secret = Secret::new(SECRET);
        assert!(check(&secret, &Parameters::default()).is_ok());
        for bad in [
            Parameters { digits: 5, ..Parameters::default() },
            Parameters { period: 0, ..Parameters::default() },
            Parameters { algorithm: "MD5".to_owned(), ..Parameters::default() },
        ] {
            assert!(check(&secret, &bad).is_err(), "{bad:?}");
        }
        assert!(check(&Secret::new("not base32!"), &Parameters::default()).is_err());
    }
}
