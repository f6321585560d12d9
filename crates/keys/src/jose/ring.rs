//! The keys of one deployment at one moment, and the tokens that they sign and verify.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::json;
use svc_core::{Error, Result, Seconds, Timestamp};

use super::claims::{self, Dated};
use super::heading::Heading;
use super::jws::Parts;
use super::verified::VERIFIED;
use super::{Algorithm, Claims, Jws, PublicKey, SigningKey, TokenKey, Typ};

/// How far apart the clocks of our own nodes may be.
const NODE_SKEW: Seconds = Seconds(60);

/// Where a key stands in its rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyState {
    /// Published, so that verifiers know it before it signs.
    Next,
    /// Signs; one per algorithm.
    Active,
    /// Signs no more; published until the last token that it signed has expired.
    Retired,
}

/// Signs with the active key of an algorithm: all that an issuer of tokens may know of keys.
pub trait Signer: Send + Sync {
    /// A compact token of type `typ` over `payload`, the serialized claims. Unavailable where the key stays with key management, and
    /// that does not answer.
    fn sign(
        &self,
        algorithm: Algorithm,
        typ: Typ,
        payload: &[u8],
    ) -> impl Future<Output = Result<String>> + Send;
}

/// An immutable set of keys; its owner swaps the whole ring when keys change.
pub struct KeyRing {
    entries: Vec<Entry>,
    jwks: Bytes,
    jwks_without_okp: Bytes,
}

struct Entry {
    heading: Heading,
    state: KeyState,
    public: PublicKey,
    /// Absent for retired keys and on nodes that only verify.
    private: Option<Arc<TokenKey>>,
}

impl KeyRing {
    /// A ring that signs; the private halves of retired keys are dropped here.
    pub fn new(keys: Vec<(SigningKey, KeyState)>) -> Result<Self> {
        let held = keys.into_iter().map(|(key, state)| (Arc::new(TokenKey::Held(key)), state));
        Self::mixed(held.collect(), Vec::new())
    }

    /// A ring that signs with `own` keys, and also verifies what `others` of the deployment sign.
    pub fn mixed(
        own: Vec<(Arc<TokenKey>, KeyState)>,
        others: Vec<(PublicKey, Algorithm, KeyState)>,
    ) -> Result<Self> {
        let own = own.into_iter().map(|(key, state)| Entry::signing(key, state));
        let others =
            others.into_iter().map(|(key, algorithm, state)| Entry::verifying(key, algorithm, state));
        Self::build(own.chain(others).collect())
    }

    /// A ring that only verifies, for nodes that need no private key.
    pub fn verifying(keys: Vec<(PublicKey, Algorithm, KeyState)>) -> Result<Self> {
        Self::build(keys.into_iter().map(|(key, alg, state)| Entry::verifying(key, alg, state)).collect())
    }

    /// The key that signs with `algorithm`.
    pub fn active(&self, algorithm: Algorithm) -> Option<&TokenKey> {
        let signs = |entry: &&Entry| entry.state == KeyState::Active && entry.algorithm() == algorithm;
        self.entries.iter().find(signs)?.private.as_deref()
    }

    /// The same, where this process has it whole.
    pub fn held(&self, algorithm: Algorithm) -> Option<&SigningKey> {
        self.active(algorithm)?.held()
    }

    /// Whether all these algorithms can be signed with now. Asks key management where a key stays there.
    pub async fn can_sign(&self, algorithms: impl IntoIterator<Item = Algorithm>) -> Result<()> {
        for algorithm in algorithms {
            self.signing(algorithm)?.can_sign().await?;
        }
        Ok(())
    }

    fn signing(&self, algorithm: Algorithm) -> Result<&TokenKey> {
        self.active(algorithm).ok_or_else(|| Error::internal(format!("no active key signs {algorithm}")))
    }

    /// The published key of this id.
    pub fn find(&self, kid: &str) -> Option<&PublicKey> {
        self.entry(kid).map(|entry| &entry.public)
    }

    /// The state of the key of this id.
    pub fn state(&self, kid: &str) -> Option<KeyState> {
        self.entry(kid).map(|entry| entry.state)
    }

    /// The algorithms that sign at present.
    pub fn algorithms(&self) -> impl Iterator<Item = Algorithm> {
        Algorithm::SIGNING.iter().copied().filter(|&algorithm| self.active(algorithm).is_some())
    }

    /// The JSON Web Key Set (RFC 7517 §5) of all keys, as it is served.
    pub fn jwks(&self) -> &Bytes {
        &self.jwks
    }

    /// The same without keys of type `OKP`, at which some verifiers stop.
    pub fn jwks_without_okp(&self) -> &Bytes {
        &self.jwks_without_okp
    }

    /// Verifies a token of ours: signature, type and time. Issuer, audience and the rest are the caller's.
    pub fn verify(&self, token: &str, typ: Typ, now: Timestamp) -> Result<Claims> {
        let claims = self.verify_at_any_time(token, typ)?;
        claims.required_time("iat")?;
        claims.check_time(now, NODE_SKEW)?;
        Ok(claims)
    }

    /// The same for claims of the caller's own type, which are read without a map of them between.
    pub fn read<T: DeserializeOwned + Dated>(&self, token: &str, typ: Typ, now: Timestamp) -> Result<T> {
        let claims: T = claims::read(&self.payload(token, typ)?)?;
        claims.times().check(now, NODE_SKEW)?;
        Ok(claims)
    }

    /// Verifies signature and type only: an `id_token_hint` may have expired.
    pub fn verify_at_any_time(&self, token: &str, typ: Typ) -> Result<Claims> {
        Claims::parse(&self.payload(token, typ)?)
    }

    /// The payload of a token of ours: an object without repeated members.
    fn payload(&self, token: &str, typ: Typ) -> Result<Vec<u8>> {
        let parts = Parts::of(token)?;
        // What our own keys sign begins with the same letters each time, which need no parser.
        let known = self.entries.iter().find(|entry| entry.heading.is_of(typ, parts.header));
        let entry = known.map_or_else(|| self.signer_of(token, typ), Ok)?;
        VERIFIED.check(token, || {
            let (input, signature) = (parts.signing_input.as_bytes(), parts.read_signature()?);
            entry.public.verify(entry.algorithm(), input, &signature)?;
            Claims::parse(&parts.read_payload()?).map(drop)
        })?;
        parts.read_payload()
    }

    /// The key that a token of ours names in another spelling than we write.
    fn signer_of(&self, token: &str, typ: Typ) -> Result<&Entry> {
        let jws = Jws::parse(token, typ.algorithms())?;
        if !jws.is_typ(typ.name()) {
            return Err(Error::invalid_token("the token is of another type"));
        }
        let entry = jws.kid().and_then(|kid| self.entry(kid));
        let entry =
            entry.ok_or_else(|| Error::invalid_token("the token is not signed with a key of this issuer"))?;
        if entry.algorithm() != jws.algorithm() {
            return Err(Error::invalid_token("the token's algorithm is not its key's"));
        }
        Ok(entry)
    }

    /// Whether it holds these keys and no others, each in this state, and signs with those that are not retired.
    pub fn holds<'k>(&self, mut keys: impl ExactSizeIterator<Item = (&'k str, KeyState)>) -> bool {
        let stands = |entry: &Entry, state: KeyState| {
            entry.state == state && entry.private.is_some() == (state != KeyState::Retired)
        };
        let has = |(kid, state): (&str, KeyState)| self.entry(kid).is_some_and(|entry| stands(entry, state));
        self.entries.len() == keys.len() && keys.all(has)
    }

    fn entry(&self, kid: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.kid() == kid)
    }

    fn build(entries: Vec<Entry>) -> Result<Self> {
        check_apart(&entries)?;
        let set = |is_in: fn(&&Entry) -> bool| {
            let keys = entries.iter().filter(is_in);
            let keys: Vec<_> = keys.map(|entry| entry.public.jwk(entry.kid(), entry.algorithm())).collect();
            Bytes::from(json!({ "keys": keys }).to_string())
        };
        let jwks = set(|_| true);
        let jwks_without_okp = set(|entry| entry.algorithm() != Algorithm::EdDsa);
        Ok(Self { entries, jwks, jwks_without_okp })
    }
}

/// Refuses the same key twice, and two keys that sign with one algorithm. There may be many: those of all tenants.
fn check_apart(entries: &[Entry]) -> Result<()> {
    let (mut kids, mut signing) = (HashSet::new(), HashSet::new());
    for entry in entries {
        let is_apart = kids.insert(entry.kid())
            && (entry.state != KeyState::Active || signing.insert(entry.algorithm()));
        if !is_apart {
            return Err(Error::internal(format!("the key {} clashes with another of its ring", entry.kid())));
        }
    }
    Ok(())
}

impl Signer for KeyRing {
    async fn sign(&self, algorithm: Algorithm, typ: Typ, payload: &[u8]) -> Result<String> {
        self.signing(algorithm)?.sign(typ, payload).await
    }
}

impl Entry {
    fn signing(key: Arc<TokenKey>, state: KeyState) -> Self {
        let entry = Self::verifying(key.public().clone(), key.algorithm(), state);
        Self { private: (state != KeyState::Retired).then_some(key), ..entry }
    }

    fn verifying(public: PublicKey, algorithm: Algorithm, state: KeyState) -> Self {
        Self { heading: Heading::of(algorithm, &public), state, public, private: None }
    }

    fn kid(&self) -> &str {
        self.heading.kid()
    }

    fn algorithm(&self) -> Algorithm {
        self.heading.algorithm()
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.entries.iter().map(|entry| (entry.kid(), (entry.algorithm(), entry.state)));
        f.debug_map().entries(keys).finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::base64url;
    use crate::jose::Times;

    const NOW: Timestamp = Timestamp::from_secs(1_000);
    const PAYLOAD: &[u8] = br#"{"sub":"ada","iat":990,"exp":1060}"#;

    fn key(algorithm: Algorithm) -> SigningKey {
        SigningKey::generate(algorithm).unwrap()
    }

    fn sign(ring: &KeyRing, algorithm: Algorithm, typ: Typ, payload: &[u8]) -> Result<String> {
        ring.held(algorithm).ok_or_else(|| Error::internal("no active key"))?.sign(typ, payload)
    }

    fn again(key: &SigningKey) -> SigningKey {
        SigningKey::from_pkcs8(key.kid(), key.algorithm(), &key.to_pkcs8().unwrap()).unwrap()
    }

    #[test]
    fn a_token_outlives_the_rotation_of_its_key_but_not_its_withdrawal() {
        let (old, new) = (key(Algorithm::Es256), key(Algorithm::Es256));
        let before =
            KeyRing::new(vec![(again(&old), KeyState::Active), (again(&new), KeyState::Next)]).unwrap();
        let after =
            KeyRing::new(vec![(again(&old), KeyState::Retired), (again(&new), KeyState::Active)]).unwrap();
        let late = KeyRing::new(vec![(again(&new), KeyState::Active)]).unwrap();
        let token = sign(&before, Algorithm::Es256, Typ::AccessToken, PAYLOAD).unwrap();
        assert_eq!(before.verify(&token, Typ::AccessToken, NOW).unwrap().text("sub"), Some("ada"));
        assert!(after.verify(&token, Typ::AccessToken, NOW).is_ok());
        assert!(late.verify(&token, Typ::AccessToken, NOW).is_err());
        let newer = sign(&after, Algorithm::Es256, Typ::AccessToken, PAYLOAD).unwrap();
        assert!(before.verify(&newer, Typ::AccessToken, NOW).is_ok(), "a next key is known before it signs");
    }

    #[test]
    fn only_the_active_key_of_an_algorithm_signs() {
        let ring = KeyRing::new(vec![
            (key(Algorithm::Es256), KeyState::Next),
            (key(Algorithm::EdDsa), KeyState::Active),
            (key(Algorithm::EdDsa), KeyState::Retired),
        ])
        .unwrap();
        assert_eq!(ring.algorithms().collect::<Vec<_>>(), [Algorithm::EdDsa]);
        assert!(sign(&ring, Algorithm::Es256, Typ::Jwt, PAYLOAD).is_err());
        assert!(
            ring.entries.iter().all(|entry| entry.private.is_some() == (entry.state != KeyState::Retired))
        );
    }

    #[test]
    fn a_ring_refuses_two_active_keys_and_the_same_key_twice() {
        let one = key(Algorithm::Es256);
        assert!(
            KeyRing::new(vec![(again(&one), KeyState::Active), (again(&one), KeyState::Retired)]).is_err()
        );
        assert!(
            KeyRing::new(vec![(one, KeyState::Active), (key(Algorithm::Es256), KeyState::Active)]).is_err()
        );
    }

    #[test]
    fn the_key_set_lists_every_key_once_with_public_members() {
        let (one, two) = (key(Algorithm::Es256), key(Algorithm::EdDsa));
        let published = vec![one.public_jwk(), two.public_jwk()];
        let ring = KeyRing::new(vec![(one, KeyState::Active), (two, KeyState::Retired)]).unwrap();
        assert_eq!(serde_json::from_slice::<Value>(ring.jwks()).unwrap(), json!({ "keys": published }));
    }

    #[test]
    fn a_node_without_private_keys_verifies_and_cannot_sign() {
        let signing = key(Algorithm::EdDsa);
        let token = signing.sign(Typ::AccessToken, PAYLOAD).unwrap();
        let ring =
            KeyRing::verifying(vec![(signing.public().clone(), Algorithm::EdDsa, KeyState::Active)]).unwrap();
        assert!(ring.verify(&token, Typ::AccessToken, NOW).is_ok());
        assert!(sign(&ring, Algorithm::EdDsa, Typ::AccessToken, PAYLOAD).is_err());
    }

    #[test]
    fn one_type_of_token_never_passes_as_another() {
        let ring = KeyRing::new(vec![(key(Algorithm::Es256), KeyState::Active)]).unwrap();
        for &made in Typ::ALL {
            let token = sign(&ring, Algorithm::Es256, made, PAYLOAD).unwrap();
            for &expected in Typ::ALL {
                assert_eq!(
                    ring.verify(&token, expected, NOW).is_ok(),
                    made == expected,
                    "{made:?} as {expected:?}"
                );
            }
        }
    }

    #[test]
    fn a_token_that_comes_again_is_held_against_everything_but_its_signature_again() {
        let ring = KeyRing::new(vec![(key(Algorithm::Es256), KeyState::Active)]).unwrap();
        let token = sign(&ring, Algorithm::Es256, Typ::AccessToken, PAYLOAD).unwrap();
        for _ in 0..2 {
            assert_eq!(ring.verify(&token, Typ::AccessToken, NOW).unwrap().text("sub"), Some("ada"));
            assert!(ring.verify(&token, Typ::AccessToken, NOW + Seconds(61)).is_err());
            assert!(ring.verify(&token, Typ::Jwt, NOW).is_err());
        }
        let (signed, _) = token.rsplit_once('.').unwrap();
        let other = sign(&ring, Algorithm::Es256, Typ::AccessToken, b"{}").unwrap();
        let (_, foreign) = other.rsplit_once('.').unwrap();
        assert!(ring.verify(&format!("{signed}.{foreign}"), Typ::AccessToken, NOW).is_err());
    }

    #[test]
    fn what_one_ring_has_verified_is_refused_by_a_ring_without_the_key() {
        let ring = || KeyRing::new(vec![(key(Algorithm::Es256), KeyState::Active)]).unwrap();
        let (one, other) = (ring(), ring());
        let token = sign(&one, Algorithm::Es256, Typ::AccessToken, PAYLOAD).unwrap();
        assert!(one.verify(&token, Typ::AccessToken, NOW).is_ok());
        assert!(other.verify(&token, Typ::AccessToken, NOW).is_err());
        assert!(one.verify(&token, Typ::AccessToken, NOW).is_ok());
    }

    #[test]
    fn claims_are_read_into_another_type_by_the_same_rules() {
        #[derive(serde::Deserialize)]
        struct Own {
            sub: String,
            iat: i64,
            exp: i64,
        }
        impl Dated for Own {
            fn times(&self) -> Times {
                Times { exp: self.exp, nbf: self.iat, iat: self.iat }
            }
        }
        let ring = KeyRing::new(vec![(key(Algorithm::Es256), KeyState::Active)]).unwrap();
        let signed = |payload: &[u8]| sign(&ring, Algorithm::Es256, Typ::Jwt, payload).unwrap();
        let read = |token: &str, now| ring.read::<Own>(token, Typ::Jwt, now).map(|own| own.sub);
        let token = signed(PAYLOAD);
        for _ in 0..2 {
            assert_eq!(read(&token, NOW).unwrap(), "ada");
            assert!(read(&token, NOW + Seconds(60)).is_err());
            assert!(ring.read::<Own>(&token, Typ::AccessToken, NOW).is_err());
        }
        for bad in [
            &br#"{"sub":"ada","iat":990,"exp":1060,"x":1,"x":1}"#[..],
            br#"{"sub":"ada","iat":990,"exp":1060,"x":{"y":1,"y":1}}"#,
            br#"{"sub":"ada\u0000","iat":990,"exp":1060}"#,
            br#"{"sub":"ada","iat":1061,"exp":2000}"#,
            br#"{"sub":"ada","iat":990.0,"exp":1060}"#,
            br#"["ada",990,1060]"#,
        ] {
            let token = signed(bad);
            assert!(read(&token, NOW).is_err() && read(&token, NOW).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_header_in_another_spelling_names_the_same_key() {
        let ring = KeyRing::new(vec![(key(Algorithm::Es256), KeyState::Active)]).unwrap();
        let held = ring.held(Algorithm::Es256).unwrap();
        let header = format!(r#"{{"kid":"{}", "alg":"ES256", "typ":"jwt"}}"#, held.kid());
        let input = format!("{}.{}", base64url(header), base64url(PAYLOAD));
        let token = format!("{input}.{}", base64url(held.signature(input.as_bytes()).unwrap()));
        for _ in 0..2 {
            assert!(ring.verify(&token, Typ::Jwt, NOW).is_ok());
            assert!(ring.verify(&token, Typ::AccessToken, NOW).is_err());
        }
    }

    #[test]
    fn a_ring_knows_which_keys_it_holds_in_which_states() {
        let (one, two) = (key(Algorithm::Es256), key(Algorithm::EdDsa));
        let ring = KeyRing::new(vec![(again(&one), KeyState::Active), (again(&two), KeyState::Retired)]);
        let present = ring.unwrap();
        let holds = |ring: &KeyRing, keys: &[(&SigningKey, KeyState)]| {
            ring.holds(keys.iter().map(|(key, state)| (key.kid(), *state)))
        };
        let stand = [(&two, KeyState::Retired), (&one, KeyState::Active)];
        assert!(holds(&present, &stand));
        assert!(!holds(&present, &[(&one, KeyState::Active)]));
        assert!(!holds(&present, &[(&one, KeyState::Active), (&two, KeyState::Active)]));
        assert!(!holds(&present, &[(&one, KeyState::Active), (&key(Algorithm::EdDsa), KeyState::Retired)]));
        let public = vec![
            (one.public().clone(), Algorithm::Es256, KeyState::Active),
            (two.public().clone(), Algorithm::EdDsa, KeyState::Retired),
        ];
        assert!(!holds(&KeyRing::verifying(public).unwrap(), &stand), "this one does not sign");
    }

    #[test]
    fn an_expired_hint_verifies_only_where_time_does_not_matter() {
        let ring = KeyRing::new(vec![(key(Algorithm::Es256), KeyState::Active)]).unwrap();
        let token = sign(&ring, Algorithm::Es256, Typ::Jwt, PAYLOAD).unwrap();
        assert!(ring.verify(&token, Typ::Jwt, NOW + Seconds(60)).is_err());
        assert!(ring.verify_at_any_time(&token, Typ::Jwt).is_ok());
    }

    #[test]
    fn a_token_without_its_times_is_refused() {
        let ring = KeyRing::new(vec![(key(Algorithm::Es256), KeyState::Active)]).unwrap();
        for payload in [&b"{}"[..], br#"{"exp":2000}"#, br#"{"iat":990}"#, br#"{"exp":2000,"iat":"990"}"#] {
            let token = sign(&ring, Algorithm::Es256, Typ::Jwt, payload).unwrap();
            assert!(ring.verify(&token, Typ::Jwt, NOW).is_err());
        }
    }
}
