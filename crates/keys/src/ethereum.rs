//! Accounts of Ethereum: addresses with their checksum (EIP-55), and who signed a personal message (EIP-191, version 0x45).
//!
//! The curve is secp256k1, of which the library for everything else can verify a signature but not find the key behind it.

use std::fmt;

use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use sha3::{Digest as _, Keccak256};

use crate::encoding::{from_hex, hex};

/// An address: the last 20 bytes of the hash of a public key, or those of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address([u8; 20]);

impl Address {
    /// Reads `0x` and 40 hexadecimal digits. Where letters of both cases are among them, they are the checksum, and it must be right.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("0x")?;
        let address = Self(from_hex(digits)?.try_into().ok()?);
        let has = |is_case: fn(&u8) -> bool| digits.as_bytes().iter().any(is_case);
        let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
        (!is_mixed || address.to_string() == text).then_some(address)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// The address that belongs to a key.
    fn of(key: &VerifyingKey) -> Option<Self> {
        let point = key.to_sec1_point(false);
        let hash = keccak256(point.as_bytes().get(1..)?);
        Some(Self(hash.get(12..)?.try_into().ok()?))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = hex(self.0);
        let hash = hex(keccak256(digits.as_bytes()));
        let cased = digits.chars().zip(hash.chars());
        let cased = cased.map(|(digit, mark)| if mark >= '8' { digit.to_ascii_uppercase() } else { digit });
        write!(f, "0x{}", cased.collect::<String>())
    }
}

/// The hash of Ethereum: Keccak before it became SHA-3.
pub fn keccak256(bytes: &[u8]) -> [u8; 32] {
    Keccak256::digest(bytes).into()
}

/// What a wallet signs where it is asked to sign a text (EIP-191).
pub fn personal_hash(message: &str) -> [u8; 32] {
    let prefix = format!("\u{19}Ethereum Signed Message:\n{}", message.len());
    keccak256(&[prefix.as_bytes(), message.as_bytes()].concat())
}

/// Whose key made a signature of 65 bytes, `r`, `s` and `v`. One with the higher `s` is another form of the same signature, and is
/// refused (EIP-2).
pub fn signer(hash: &[u8; 32], signature: &[u8]) -> Option<Address> {
    let (rs, &[v]) = signature.split_at_checked(64)? else { return None };
    let recovery = match v {
        0 | 27 => RecoveryId::new(false, false),
        1 | 28 => RecoveryId::new(true, false),
        _ => return None,
    };
    let signature = Signature::from_slice(rs).ok()?;
    if signature.normalize_s() != signature {
        return None;
    }
    Address::of(&VerifyingKey::recover_from_prehash(hash, &signature, recovery).ok()?)
}

#[cfg(test)]
mod tests {
    use k256::ecdsa::SigningKey;
    use proptest::prelude::*;

    use super::*;

    /// The key of the examples of Ethereum's own libraries: the hash of "cow".
    fn cow() -> SigningKey {
        SigningKey::from_slice(&keccak256(b"cow")).unwrap()
    }

    fn signed(key: &SigningKey, message: &str) -> Vec<u8> {
        let (signature, id) = key.sign_prehash_recoverable(&personal_hash(message));
        [signature.to_bytes().as_slice(), &[27 + id.to_byte()]].concat()
    }

    #[test]
    fn addresses_have_the_checksums_of_eip_55() {
        for text in [
            "0x52908400098527886E0F7030069857D2E4169EE7",
            "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
            "0xde709f2102306220921060314715629080e2fb77",
            "0x27b1fdb04752bbc536007a920d24acb045561c26",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
            "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
            "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
        ] {
            assert_eq!(Address::parse(text).unwrap().to_string(), text);
        }
        let lower = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
        let upper = format!("0x{}", lower[2..].to_uppercase());
        assert_eq!(Address::parse(lower), Address::parse(&upper));
        assert_eq!(Address::parse(lower).unwrap().to_string(), "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            "0x",
            "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0",
            "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg",
            " 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "0x+aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "vitalik.eth",
        ] {
            assert_eq!(Address::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn hashes_are_those_of_the_known_examples() {
        let of = |text: &str| hex(keccak256(text.as_bytes()));
        assert_eq!(of(""), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
        assert_eq!(of("abc"), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45");
        assert_eq!(
            hex(personal_hash("Some data")),
            "1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655"
        );
    }

    #[test]
    fn a_key_has_its_address_and_signs_as_other_libraries_do() {
        assert_eq!(
            Address::of(cow().verifying_key()).unwrap().to_string(),
            "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"
        );
        // The example of web3.js: `accounts.sign('Some data', key)`.
        let key = from_hex("4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318").unwrap();
        let signature = from_hex(concat!(
            "b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd",
            "6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a029",
            "1c"
        ));
        let key = SigningKey::from_slice(&key).unwrap();
        assert_eq!(signed(&key, "Some data"), signature.clone().unwrap());
        let found = signer(&personal_hash("Some data"), &signature.unwrap()).unwrap();
        assert_eq!(found.to_string(), "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23");
    }

    #[test]
    fn another_form_of_a_signature_is_refused() {
        let hash = personal_hash("hello");
        let right = signed(&cow(), "hello");
        let own = Address::of(cow().verifying_key());
        assert_eq!(signer(&hash, &right), own);
        let short_v = [&right[..64], &[right[64] - 27]].concat();
        assert_eq!(signer(&hash, &short_v), own);
        for v in (2..27).chain(29..=255) {
            assert_eq!(signer(&hash, &[&right[..64], &[v]].concat()), None, "{v}");
        }
        let other_v = [&right[..64], &[55 - right[64]]].concat();
        assert_ne!(signer(&hash, &other_v), own);
        // The same signature with the order minus `s`, and the other `v`.
        let low = Signature::from_slice(&right[..64]).unwrap();
        let high = Signature::from_scalars(low.r().to_bytes(), (-low.s()).to_bytes()).unwrap();
        assert_ne!(high, low);
        for v in [27, 28] {
            assert_eq!(signer(&hash, &[high.to_bytes().as_slice(), &[v]].concat()), None);
        }
        let (zero, order) =
            ([0; 32], from_hex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"));
        for wrong in [
            right[..64].to_vec(),
            [right.as_slice(), &[0]].concat(),
            [&zero[..], &right[32..]].concat(),
            [&right[..32], &zero, &right[64..]].concat(),
            [order.unwrap().as_slice(), &right[32..]].concat(),
            Vec::new(),
        ] {
            assert_eq!(signer(&hash, &wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn bytes_that_no_key_signed_prove_no_address_of_a_known_key(
            signature in prop::collection::vec(any::<u8>(), 0..70), message in ".{0,40}"
        ) {
            prop_assert_ne!(signer(&personal_hash(&message), &signature), Address::of(cow().verifying_key()));
        }
    }
}
