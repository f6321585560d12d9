//! A wallet of Ethereum with one key (EIP-191).

use k256::ecdsa::{Signature, SigningKey};
use svc_keys::ethereum::{keccak256, personal_hash, signer};
use svc_keys::hex;

/// A wallet that signs whatever text it is asked to.
pub struct Wallet(SigningKey);

impl Wallet {
    /// The wallet of a seed, always with the same key.
    pub fn new(seed: u64) -> Self {
        Self(SigningKey::from_slice(&keccak256(&seed.to_be_bytes())).unwrap())
    }

    /// The address of its key.
    pub fn address(&self) -> String {
        let (signature, v) = self.made("");
        signer(&personal_hash(""), &[signature.to_bytes().as_slice(), &[v]].concat()).unwrap().to_string()
    }

    /// The signature of a message.
    pub fn sign(&self, message: &str) -> String {
        let (signature, v) = self.made(message);
        text(&signature, v)
    }

    /// The same signature in its other form, with the higher `s`, which is none (EIP-2).
    pub fn sign_high(&self, message: &str) -> String {
        let (signature, v) = self.made(message);
        let high = Signature::from_scalars(signature.r().to_bytes(), (-signature.s()).to_bytes()).unwrap();
        text(&high, 55 - v)
    }

    fn made(&self, message: &str) -> (Signature, u8) {
        let (signature, recovery) = self.0.sign_prehash_recoverable(&personal_hash(message));
        (signature, 27 + recovery.to_byte())
    }
}

fn text(signature: &Signature, v: u8) -> String {
    format!("0x{}{}", hex(signature.to_bytes()), hex([v]))
}
