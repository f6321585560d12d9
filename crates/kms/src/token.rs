//! A PKCS #11 token that opens the sealed file: its AES key cannot leave it, and encrypts the key that the file is sealed with.

use std::path::PathBuf;

use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::Error;
use cryptoki::mechanism::Mechanism;
use cryptoki::mechanism::aead::GcmParams;
use cryptoki::object::{Attribute, KeyType, ObjectClass, ObjectHandle};
use cryptoki::session::{Session, UserType};
use cryptoki::types::{AuthPin, Ulong};
use serde::{Deserialize, Serialize};
use svc_core::Entropy as _;
use svc_keys::{SecretBytes, SystemEntropy};
use zeroize::Zeroizing;

use crate::failure::Failure;

/// A token, and what opens it.
pub struct Token {
    /// The library of its maker.
    pub module: PathBuf,
    /// Its label.
    pub label: String,
    /// The PIN of its user.
    pub pin: Zeroizing<String>,
}

/// A key as the token has encrypted it (AES-256-GCM).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Encrypted {
    iv: SecretBytes,
    key: SecretBytes,
}

const KEY: &[u8] = b"svc-kms root";
const CONTEXT: &[u8] = b"svc-kms file 1";
const IV: usize = 12;
const TAG_BITS: Ulong = Ulong::new(128);

impl Token {
    /// Encrypts a key by the token's own, which is made at the first time.
    pub fn encrypt(&self, key: &[u8; 32]) -> Result<Encrypted, Failure> {
        let mut iv = [0; IV];
        SystemEntropy.fill(&mut iv);
        let mut used = iv;
        let encrypted = self.with(|session| {
            let own = match own_key(session)? {
                Some(own) => own,
                None => session.generate_key(&Mechanism::AesKeyGen, &template())?,
            };
            let params = GcmParams::new(&mut used, CONTEXT, TAG_BITS)?;
            session.encrypt(&Mechanism::AesGcm(params), own, key)
        })?;
        Ok(Encrypted { iv: iv.to_vec().into(), key: encrypted.into() })
    }

    /// The key that was encrypted.
    pub fn decrypt(&self, encrypted: &Encrypted) -> Result<Zeroizing<[u8; 32]>, Failure> {
        let mut iv = encrypted.iv.to_vec();
        let plain = self.with(|session| {
            let Some(own) = own_key(session)? else { return Ok(None) };
            let params = GcmParams::new(&mut iv, CONTEXT, TAG_BITS)?;
            session.decrypt(&Mechanism::AesGcm(params), own, &encrypted.key).map(Zeroizing::new).map(Some)
        })?;
        let plain = plain.ok_or_else(|| self.unusable(&"it has no key `svc-kms root`"))?;
        let key: Result<[u8; 32], _> = plain.as_slice().try_into();
        key.map(Zeroizing::new).map_err(|_| self.unusable(&"what it decrypts is no key"))
    }

    /// Does something with a session of the token's user.
    fn with<T>(&self, work: impl FnOnce(&Session) -> Result<T, Error>) -> Result<T, Failure> {
        let pkcs11 = Pkcs11::new(&self.module).map_err(|error| self.unusable(&error))?;
        let arguments = CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK);
        pkcs11.initialize(arguments).map_err(|error| self.unusable(&error))?;
        let outcome = self.session(&pkcs11).and_then(|session| {
            let outcome = work(&session).map_err(|error| self.unusable(&error));
            // A session that cannot be closed ends with the library's work below.
            let _ = session.logout();
            outcome
        });
        pkcs11.finalize().map_err(|error| self.unusable(&error))?;
        outcome
    }

    fn session(&self, pkcs11: &Pkcs11) -> Result<Session, Failure> {
        let failed = |error: Error| self.unusable(&error);
        for slot in pkcs11.get_slots_with_initialized_token().map_err(failed)? {
            if pkcs11.get_token_info(slot).map_err(failed)?.label() == self.label {
                let session = pkcs11.open_rw_session(slot).map_err(failed)?;
                let pin = AuthPin::new(self.pin.trim().into());
                session.login(UserType::User, Some(&pin)).map_err(failed)?;
                return Ok(session);
            }
        }
        Err(self.unusable(&format!("{} knows no token of this label", self.module.display())))
    }

    fn unusable(&self, reason: &dyn std::fmt::Display) -> Failure {
        Failure::new(format!("the token {:?} cannot be used: {reason}", self.label))
    }
}

fn own_key(session: &Session) -> Result<Option<ObjectHandle>, Error> {
    let wanted = [Attribute::Class(ObjectClass::SECRET_KEY), Attribute::Label(KEY.to_vec())];
    Ok(session.find_objects(&wanted)?.first().copied())
}

/// A key that stays in the token.
fn template() -> Vec<Attribute> {
    vec![
        Attribute::Class(ObjectClass::SECRET_KEY),
        Attribute::KeyType(KeyType::AES),
        Attribute::ValueLen(Ulong::new(32)),
        Attribute::Label(KEY.to_vec()),
        Attribute::Token(true),
        Attribute::Private(true),
        Attribute::Sensitive(true),
        Attribute::Extractable(false),
        Attribute::Encrypt(true),
        Attribute::Decrypt(true),
    ]
}
