//! A passkey as another system takes it: the public key as COSE has it in CBOR (RFC 9052 §7), and nothing that is secret.

use std::collections::BTreeMap;

use serde_cbor_2::Value as Cbor;
use serde_json::{Value, json};
use svc_core::AccountId;
use svc_keys::base64url;
use webauthn_rs_core::proto::{COSEKey, COSEKeyType, ECDSACurve};

use super::Passkey;

impl Passkey {
    /// The passkey as an import takes it; `None` where its key is of a kind that imports do not take.
    pub(in crate::people) fn to_import(
        &self,
        (name, counter, account): (&str, i64, AccountId),
    ) -> Option<Value> {
        let mut document = json!({
            "rp_id": self.rp_id, "use": self.purpose, "name": name, "credential_id": base64url(&self.id),
            "public_key": base64url(cbor(&self.key)?), "sign_count": counter,
            "user_handle": base64url(self.user_handle(account)), "transports": self.transports,
        });
        if let Some(members) = document.as_object_mut() {
            if !self.is_unseen {
                members.insert("backup_eligible".to_owned(), json!(self.is_backup_eligible));
            }
            if let Some(aaguid) = &self.aaguid {
                members.insert("aaguid".to_owned(), json!(aaguid));
            }
        }
        Some(document)
    }

    /// What its owner may read of it.
    pub(in crate::people) fn described(&self) -> Value {
        json!({
            "rp_id": self.rp_id, "use": self.purpose, "credential_id": base64url(&self.id), "aaguid": self.aaguid,
            "backup_eligible": self.is_backup_eligible, "backed_up": self.is_backed_up,
        })
    }
}

/// The members of a key by their labels (RFC 9053 §7).
fn cbor(key: &COSEKey) -> Option<Vec<u8>> {
    let algorithm = key.type_ as i128;
    let members = match &key.key {
        COSEKeyType::EC_EC2(point) => {
            let curve = match point.curve {
                ECDSACurve::SECP256R1 => 1,
                ECDSACurve::SECP384R1 => 2,
                ECDSACurve::SECP521R1 => return None,
            };
            let (x, y) = (Cbor::Bytes(point.x.clone()), Cbor::Bytes(point.y.clone()));
            vec![
                (1, Cbor::Integer(2)),
                (3, Cbor::Integer(algorithm)),
                (-1, Cbor::Integer(curve)),
                (-2, x),
                (-3, y),
            ]
        }
        COSEKeyType::RSA(rsa) => {
            let (n, e) = (Cbor::Bytes(rsa.n.clone()), Cbor::Bytes(rsa.e.to_vec()));
            vec![(1, Cbor::Integer(3)), (3, Cbor::Integer(algorithm)), (-1, n), (-2, e)]
        }
        COSEKeyType::EC_OKP(_) => return None,
    };
    let members: BTreeMap<_, _> =
        members.into_iter().map(|(label, value)| (Cbor::Integer(label), value)).collect();
    serde_cbor_2::to_vec(&Cbor::Map(members)).ok()
}
