//! What opens the sealed file: a passphrase, from a file or a credential of systemd, or a PKCS #11 token.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};
use svc_core::Entropy as _;
use svc_keys::passphrase::Stretching;
use svc_keys::{SealingKey, SystemEntropy, owner_only, token as random_text};
use zeroize::Zeroizing;

use crate::failure::Failure;
use crate::token::{Encrypted, Token};

/// How the file is opened.
#[derive(Args, Clone, Debug)]
pub struct Opening {
    /// The file of the passphrase; only its owner may read it.
    #[arg(long, env = "SVC_KMS_PASSPHRASE_FILE", value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// The credential that systemd hands to the service (`LoadCredentialEncrypted=NAME:…`), instead of a file.
    #[arg(long, env = "SVC_KMS_CREDENTIAL", value_name = "NAME", conflicts_with = "passphrase_file")]
    credential: Option<String>,
    /// The label of a PKCS #11 token, whose key seals the file; then the file or the credential holds its PIN.
    #[arg(long, env = "SVC_KMS_TOKEN", value_name = "LABEL", requires = "token_module")]
    token: Option<String>,
    /// The PKCS #11 library of the token's vendor.
    #[arg(long, env = "SVC_KMS_TOKEN_MODULE", value_name = "FILE", requires = "token")]
    token_module: Option<PathBuf>,
}

/// How the file is opened from now on.
#[derive(Args, Clone, Debug)]
pub struct NewOpening {
    /// The file of the new passphrase, which is made where it does not exist; only its owner may read it.
    #[arg(
        id = "to_passphrase_file",
        long = "to-passphrase-file",
        value_name = "FILE",
        required_unless_present = "to_credential"
    )]
    passphrase_file: Option<PathBuf>,
    /// The credential that systemd hands to the service, instead of a file.
    #[arg(
        id = "to_credential",
        long = "to-credential",
        value_name = "NAME",
        conflicts_with = "to_passphrase_file"
    )]
    credential: Option<String>,
    /// The label of a PKCS #11 token, whose key seals the file; then the file or the credential holds its PIN.
    #[arg(id = "to_token", long = "to-token", value_name = "LABEL", requires = "to_token_module")]
    token: Option<String>,
    /// The PKCS #11 library of the token's vendor.
    #[arg(id = "to_token_module", long = "to-token-module", value_name = "FILE", requires = "to_token")]
    token_module: Option<PathBuf>,
}

/// What opens and seals the file.
pub enum Opener {
    /// A passphrase, stretched.
    Passphrase(Zeroizing<String>),
    /// A token.
    Token(Token),
}

/// What the file says of how it is opened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpenedBy {
    /// How a passphrase becomes its key.
    Passphrase(Stretching),
    /// Its key, encrypted by a token.
    Token(Encrypted),
}

impl Opening {
    /// What opens a file that is there.
    pub fn opener(&self) -> Result<Opener, Failure> {
        let path = self.path()?;
        let text = read(&path)?.ok_or_else(|| missing(&path))?;
        Ok(self.of(text))
    }

    /// What opens a new file; a passphrase is made where its file does not exist yet, and then `true` says so.
    pub fn new_opener(&self) -> Result<(Opener, bool), Failure> {
        let path = self.path()?;
        if let Some(present) = read(&path)? {
            return Ok((self.of(present), false));
        }
        if self.credential.is_some() || self.token.is_some() {
            return Err(missing(&path));
        }
        let made = Zeroizing::new(random_text(&SystemEntropy));
        owner_only::create(&path, &made).map_err(|error| unusable(&path, &error))?;
        Ok((Opener::Passphrase(made), true))
    }

    /// The arguments that name the same again from any directory, for a command that is printed.
    pub fn arguments(&self) -> String {
        let file = self.passphrase_file.as_deref().map(absolute);
        let file = file.map(|file| format!(" --passphrase-file {}", file.display()));
        let credential = self.credential.as_deref().map(|name| format!(" --credential {name}"));
        let token = self.token.as_deref().map(|label| format!(" --token {label}"));
        let module = self.token_module.as_deref().map(|file| format!(" --token-module {}", file.display()));
        [token, module, file, credential].into_iter().flatten().collect()
    }

    fn of(&self, text: Zeroizing<String>) -> Opener {
        match (&self.token, &self.token_module) {
            (Some(label), Some(module)) => {
                Opener::Token(Token { module: module.clone(), label: label.clone(), pin: text })
            }
            _ => Opener::Passphrase(text),
        }
    }

    fn path(&self) -> Result<PathBuf, Failure> {
        let Some(credential) = &self.credential else {
            return self.passphrase_file.clone().ok_or_else(|| {
                Failure::new(
                    "name what opens the sealed file: --passphrase-file FILE, or --credential NAME under systemd",
                )
            });
        };
        let folder = std::env::var_os("CREDENTIALS_DIRECTORY").ok_or_else(|| {
            Failure::new(format!(
                "there is no CREDENTIALS_DIRECTORY: --credential works in a unit of systemd with \
                 `LoadCredential={credential}:…` or `LoadCredentialEncrypted={credential}:…`"
            ))
        })?;
        Ok(Path::new(&folder).join(credential))
    }
}

impl NewOpening {
    /// The same, as every other command takes it.
    pub fn opening(&self) -> Opening {
        Opening {
            passphrase_file: self.passphrase_file.clone(),
            credential: self.credential.clone(),
            token: self.token.clone(),
            token_module: self.token_module.clone(),
        }
    }
}

impl Opener {
    /// A fresh key to seal with, and what the file has to say to get it again.
    pub fn seals(&self) -> Result<(SealingKey, OpenedBy), Failure> {
        match self {
            Self::Passphrase(text) => {
                let stretching = Stretching::fresh(&SystemEntropy);
                Ok((stretching.key(text)?, OpenedBy::Passphrase(stretching)))
            }
            Self::Token(token) => {
                let mut key = Zeroizing::new([0; 32]);
                SystemEntropy.fill(&mut *key);
                Ok((SealingKey::from_bytes(*key), OpenedBy::Token(token.encrypt(&key)?)))
            }
        }
    }

    /// The key of a file.
    pub fn opens(&self, by: &OpenedBy) -> Result<SealingKey, Failure> {
        match (self, by) {
            (Self::Passphrase(text), OpenedBy::Passphrase(stretching)) => Ok(stretching.key(text)?),
            (Self::Token(token), OpenedBy::Token(encrypted)) => {
                Ok(SealingKey::from_bytes(*token.decrypt(encrypted)?))
            }
            (Self::Passphrase(_), OpenedBy::Token(_)) => {
                Err(Failure::new("the file is sealed by a token; name it with --token and --token-module"))
            }
            (Self::Token(_), OpenedBy::Passphrase(_)) => {
                Err(Failure::new("the file is sealed by a passphrase, not by a token"))
            }
        }
    }
}

/// A path as it is reached from any directory.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn read(path: &Path) -> Result<Option<Zeroizing<String>>, Failure> {
    owner_only::read(path).map_err(|error| unusable(path, &error))
}

fn missing(path: &Path) -> Failure {
    Failure::new(format!("there is no passphrase at {}", path.display()))
}

fn unusable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("the passphrase {} cannot be used: {error}", path.display()))
}
