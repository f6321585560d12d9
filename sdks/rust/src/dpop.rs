//! Proofs of possession as an API judges them (RFC 9449 §4.3).

use reqwest::Url;

use crate::jwt::Jws;
use crate::{Claims, Error, PublicKey, Request, VerifierConfig, digest_of};

/// The algorithms of proofs that are taken, those of the server; `Ed25519` and `EdDSA` are the same.
#[cfg(feature = "tower")]
pub(crate) const ALGORITHMS: [&str; 4] = ["ES256", "EdDSA", "Ed25519", "PS256"];

const LONGEST_JTI: usize = 256;

/// Verifies the proof of a request with a token that is bound to a key.
pub(crate) async fn check(
    config: &VerifierConfig,
    request: Request<'_>,
    token: &str,
    jkt: &str,
) -> Result<(), Error> {
    if normal(request.url).is_none() {
        let unset = "this API takes none until its origin is given, such as https://api.example";
        return Err(Error::invalid_proof(unset));
    }
    let claims = signed(request, jkt)?;
    let is_here = claims.text("htu").is_some_and(|htu| is_same(htu, request.url));
    if claims.text("htm") != Some(request.method) || !is_here {
        return Err(Error::invalid_proof("the proof is for another method or address"));
    }
    if claims.text("ath") != Some(&digest_of(token)) {
        return Err(Error::invalid_proof("the proof is for another access token"));
    }
    check_once(config, &claims, jkt).await
}

/// The claims of the one proof, signed by the key that the token is bound to.
fn signed(request: Request<'_>, jkt: &str) -> Result<Claims, Error> {
    let refused = |how: &'static str| move || Error::invalid_proof(how);
    let [text] = request.dpop else { return Err(Error::invalid_proof("the request needs one DPoP proof")) };
    let jws = Jws::parse(text.trim()).filter(|jws| jws.is_typ("dpop+jwt"));
    let jws = jws.ok_or_else(refused("the proof is malformed or of another type"))?;
    let alg = if jws.text("alg") == "Ed25519" { "EdDSA" } else { jws.text("alg") };
    let key = jws.header.get("jwk").and_then(PublicKey::of_proof).filter(|key| key.alg == alg);
    let key = key.ok_or_else(refused("the proof has no public key that fits"))?;
    let claims = jws.verify(&key).ok_or_else(refused("the proof's signature does not verify"))?;
    let is_bound = key.thumbprint == jkt;
    is_bound.then_some(claims).ok_or_else(refused("the token is bound to another key than the proof's"))
}

/// A proof counts just after it was made, and once.
async fn check_once(config: &VerifierConfig, claims: &Claims, jkt: &str) -> Result<(), Error> {
    let now = (config.now)();
    let is_recent = |iat: &i64| (now - config.proof_max_age_secs..=now + config.leeway_secs).contains(iat);
    let iat = claims.time("iat").ok().flatten().filter(is_recent);
    let iat =
        iat.ok_or_else(|| Error::invalid_proof("the proof was not made just now; compare the clocks"))?;
    // They are no part of a proof, but hold where a sender puts them in.
    let untimely = || Error::invalid_proof("the proof is not valid at this time (nbf, exp)");
    let [nbf, exp] = ["nbf", "exp"].map(|name| claims.time(name).map_err(|()| untimely()));
    let is_early = nbf?.is_some_and(|nbf| nbf > now + config.leeway_secs);
    if is_early || exp?.is_some_and(|exp| exp + config.leeway_secs <= now) {
        return Err(untimely());
    }
    let jti = claims.text("jti").filter(|jti| (1..=LONGEST_JTI).contains(&jti.len()));
    let jti = jti.ok_or_else(|| Error::invalid_proof("the proof has no jti of 1 to 256 bytes"))?;
    let until = iat + config.proof_max_age_secs + config.leeway_secs;
    let noted = config.replays.note(&digest_of(&format!("{jkt} {jti}")), until).await;
    let lost = |_| Error::new(503, "temporarily_unavailable", "the store of proofs is out of reach");
    if noted.map_err(lost)? { Ok(()) } else { Err(Error::invalid_proof("the proof was used before (jti)")) }
}

/// Addresses are compared after normalisation, without query and fragment (RFC 9449 §4.3).
fn is_same(htu: &str, address: &str) -> bool {
    let (Some(htu), Some(address)) = (normal(htu), normal(address)) else { return false };
    htu.origin() == address.origin() && plain(htu.path()) == plain(address.path())
}

/// Encoded octets as RFC 3986 §6.2.2 has them: unreserved characters as they are, the others in upper case.
fn plain(path: &str) -> String {
    let mut parts = path.split('%');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        let is_octet = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let octet = if is_octet { u8::from_str_radix(digits, 16).ok() } else { None };
        match octet.filter(|octet| octet.is_ascii_alphanumeric() || b"-._~".contains(octet)) {
            Some(letter) => plain.push(char::from(letter)),
            None => {
                plain.push('%');
                plain.push_str(&if is_octet { digits.to_ascii_uppercase() } else { digits.to_owned() });
            }
        }
        plain.push_str(rest);
    }
    plain
}

/// An address without query and fragment.
pub(crate) fn normal(address: &str) -> Option<Url> {
    let is_plain = address.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let mut url = Url::parse(address).ok().filter(|_| is_plain)?;
    url.set_query(None);
    url.set_fragment(None);
    (url.username().is_empty() && url.password().is_none()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_proofs_are_held_against_each_other_in_their_normal_form() {
        let address = "https://api.example/a~b/%2F?q=1";
        let same = [
            "https://api.example/a~b/%2F",
            "https://api.example/a%7Eb/%2f",
            "HTTPS://API.example:443/%61~b/%2F",
            "https://api.example:/a~b/%2F#x",
        ];
        for htu in same {
            assert!(is_same(htu, address), "{htu}");
        }
        let others = [
            "https://api.example/a~b//",
            "https://api.example/a~b/%252F",
            "https://api.example:444/a~b/%2F",
            "https://me@api.example/a~b/%2F",
            "http://api.example/a~b/%2F",
            "https://api.example/A~b/%2F",
            "https://api.example.evil/a~b/%2F",
            "https://api.example/a~b/%2F/",
            "https://api.example\\a~b/%2F",
            " https://api.example/a~b/%2F",
            "https://api.example/a~b/%2F%",
            "https://api.example/a~b/%2F%+1",
            "",
        ];
        for htu in others {
            assert!(!is_same(htu, address), "{htu}");
        }
        assert!(!is_same("https://api.example/%zA", "https://api.example/%za"));
    }
}
