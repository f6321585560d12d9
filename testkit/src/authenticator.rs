//! An authenticator in software (WebAuthn §6): what a browser and a passkey would answer, and what attackers would send instead.

#![expect(clippy::indexing_slicing, reason = "options that are not as they must be fail the test")]

use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};
use svc_keys::{base64url, digest, from_base64url, sha256};

/// A device with its keys.
#[derive(Default)]
pub struct Authenticator {
    keys: Vec<Key>,
    /// Tells the keys of devices apart.
    pub seed: u8,
    /// Whether its holder unlocks it, where that is not required.
    pub is_touched_only: bool,
    /// Whether its keys are copied to other devices.
    pub is_synced: bool,
    /// How often a key was used; 0 for devices that do not count.
    pub counter: u32,
}

struct Key {
    id: Vec<u8>,
    secret: SigningKey,
    rp_id: String,
    handle: String,
    is_discoverable: bool,
}

impl Authenticator {
    /// A device of its own.
    pub fn new(seed: u8) -> Self {
        Self { seed, ..Self::default() }
    }

    /// One whose keys are copied to other devices.
    pub fn synced(seed: u8) -> Self {
        Self { is_synced: true, ..Self::new(seed) }
    }

    /// One that its holder touches and cannot unlock.
    pub fn touched(seed: u8) -> Self {
        Self { is_touched_only: true, ..Self::new(seed) }
    }

    /// Makes a key, for a page at `origin`; `None` where it has one of those that are excluded.
    pub fn create(&mut self, options: &Value, origin: &str) -> Option<Value> {
        let excluded = options["excludeCredentials"].as_array().into_iter().flatten();
        let excluded: Vec<Vec<u8>> = excluded.filter_map(|key| from_base64url(key["id"].as_str()?)).collect();
        if self.keys.iter().any(|key| excluded.contains(&key.id)) {
            return None;
        }
        let bytes = digest(&format!("key {} {}", self.seed, self.keys.len())).0;
        let key = Key {
            id: digest(&format!("id {} {}", self.seed, self.keys.len())).0.to_vec(),
            secret: SigningKey::from_slice(&bytes).unwrap(),
            rp_id: options["rp"]["id"].as_str().unwrap().to_owned(),
            handle: options["user"]["id"].as_str().unwrap().to_owned(),
            is_discoverable: options["authenticatorSelection"]["residentKey"] == "required",
        };
        let client = client_data("webauthn.create", options, origin);
        let is_unlocked = self.unlocks(&options["authenticatorSelection"]["userVerification"]);
        let mut data = self.data(&key.rp_id, is_unlocked, 0x40);
        data.extend([7; 16]);
        data.extend(u16::try_from(key.id.len()).unwrap().to_be_bytes());
        data.extend(&key.id);
        data.extend(cose(&key.secret));
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59".to_vec();
        object.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        object.extend(&data);
        let answer = json!({
            "id": base64url(&key.id),
            "rawId": base64url(&key.id),
            "type": "public-key",
            "response": {
                "clientDataJSON": base64url(client),
                "attestationObject": base64url(object),
                "transports": ["internal", "smoke-signals"],
            },
            "clientExtensionResults": {},
        });
        self.keys.push(key);
        Some(answer)
    }

    /// The credential ids of its keys.
    pub fn ids(&self) -> Vec<String> {
        self.keys.iter().map(|key| base64url(&key.id)).collect()
    }

    /// The public key of its newest key, as COSE has it (RFC 9052 §7).
    pub fn public_key(&self) -> Vec<u8> {
        self.keys.last().map(|key| cose(&key.secret)).unwrap_or_default()
    }

    /// Signs with the newest key that is asked for, for a page at `origin`; `None` where it has none.
    pub fn get(&mut self, options: &Value, origin: &str) -> Option<Value> {
        let allowed = options["allowCredentials"].as_array().into_iter().flatten();
        let allowed: Vec<Vec<u8>> = allowed.filter_map(|key| from_base64url(key["id"].as_str()?)).collect();
        let is_asked = |key: &&Key| {
            let is_named = if allowed.is_empty() { key.is_discoverable } else { allowed.contains(&key.id) };
            is_named && options["rpId"] == key.rp_id.as_str()
        };
        let key = self.keys.iter().rev().find(is_asked)?;
        let (id, handle, rp_id) = (key.id.clone(), key.handle.clone(), key.rp_id.clone());
        let data = self.data(&rp_id, self.unlocks(&options["userVerification"]), 0);
        let client = client_data("webauthn.get", options, origin);
        let signed = [data.clone(), sha256(client.as_bytes()).to_vec()].concat();
        let key = self.keys.iter().find(|key| key.id == id)?;
        let signature: Signature = key.secret.sign(&signed);
        Some(json!({
            "id": base64url(&id),
            "rawId": base64url(&id),
            "type": "public-key",
            "response": {
                "clientDataJSON": base64url(client),
                "authenticatorData": base64url(data),
                "signature": base64url(signature.to_der().as_bytes()),
                "userHandle": if allowed.is_empty() { json!(handle) } else { Value::Null },
            },
            "clientExtensionResults": {},
        }))
    }

    fn unlocks(&self, asked: &Value) -> bool {
        !self.is_touched_only && asked != "discouraged"
    }

    fn data(&self, rp_id: &str, is_unlocked: bool, more: u8) -> Vec<u8> {
        let unlocked = if is_unlocked { 0x04 } else { 0 };
        let synced = if self.is_synced { 0x18 } else { 0 };
        let mut data = digest(rp_id).0.to_vec();
        data.push(0x01 | unlocked | synced | more);
        data.extend(self.counter.to_be_bytes());
        data
    }
}

fn client_data(kind: &str, options: &Value, origin: &str) -> String {
    let mut data =
        json!({ "type": kind, "challenge": options["challenge"], "origin": origin, "crossOrigin": false });
    if origin.starts_with("android:") {
        // Android says more than the standard has.
        data["androidPackageName"] = "com.example.app".into();
    }
    data.to_string()
}

/// The public key as a map of CBOR (RFC 9053 §7.1.1).
fn cose(secret: &SigningKey) -> Vec<u8> {
    let point = secret.verifying_key().to_sec1_point(false);
    let point = point.as_bytes();
    [b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20", &point[1..33], b"\x22\x58\x20", &point[33..]].concat()
}
