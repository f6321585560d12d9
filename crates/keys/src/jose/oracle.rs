//! Our tokens read by an independent library, and its tokens read by us.

use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{DecodingKey, EncodingKey, Header, Validation};
use serde_json::{Value, json};

use super::{Algorithm, Jws, PublicKey, SigningKey, Typ};

fn oracle() {
    // Another test may have been first.
    let _ = jsonwebtoken::crypto::aws_lc::DEFAULT_PROVIDER.install_default();
}

fn name(algorithm: Algorithm) -> jsonwebtoken::Algorithm {
    algorithm.name().parse().unwrap()
}

fn validation(algorithm: Algorithm) -> Validation {
    let mut validation = Validation::new(name(algorithm));
    validation.validate_exp = false;
    validation.required_spec_claims.clear();
    validation
}

fn pem(key: &SigningKey) -> String {
    use base64::Engine;
    let body = base64::engine::general_purpose::STANDARD.encode(&*key.to_pkcs8().unwrap());
    let lines: Vec<&str> =
        body.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", lines.join("\n"))
}

#[test]
fn the_oracle_verifies_our_tokens_with_our_published_keys() {
    oracle();
    for &algorithm in Algorithm::SIGNING {
        let key = SigningKey::generate(algorithm).unwrap();
        let token = key.sign(Typ::Jwt, br#"{"sub":"ada","n":1}"#).unwrap();
        let jwk: Jwk = serde_json::from_value(key.public_jwk()).unwrap();
        let decoding = DecodingKey::from_jwk(&jwk).unwrap();
        let read = jsonwebtoken::decode::<Value>(&token, &decoding, &validation(algorithm)).unwrap();
        assert_eq!(read.claims, json!({"sub": "ada", "n": 1}));
        assert_eq!((read.header.kid.as_deref(), read.header.typ.as_deref()), (Some(key.kid()), Some("JWT")));
    }
}

#[test]
fn we_verify_the_oracles_tokens() {
    oracle();
    for &algorithm in Algorithm::ALL {
        let own = if algorithm == Algorithm::Ps256 { Algorithm::Rs256 } else { algorithm };
        let key = SigningKey::generate(own).unwrap();
        let encoding = match own {
            Algorithm::Es256 => EncodingKey::from_ec_pem(pem(&key).as_bytes()),
            Algorithm::EdDsa => EncodingKey::from_ed_pem(pem(&key).as_bytes()),
            Algorithm::Rs256 | Algorithm::Ps256 => EncodingKey::from_rsa_pem(pem(&key).as_bytes()),
        };
        let token =
            jsonwebtoken::encode(&Header::new(name(algorithm)), &json!({"sub": "ada"}), &encoding.unwrap());
        let token = token.unwrap();
        let mut jwk = key.public_jwk();
        jwk["alg"] = algorithm.name().into();
        let public = PublicKey::from_jwk(&jwk).unwrap();
        let jws = Jws::parse(&token, &[algorithm]).unwrap();
        assert_eq!(jws.verify(&public).unwrap().text("sub"), Some("ada"), "{algorithm}");
    }
}
