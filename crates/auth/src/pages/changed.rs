//! What a mail calls a credential that was added to an account or removed from it.

use svc_domain::people::credentials::identities::Identity;
use svc_domain::people::credentials::passkeys::{Passkey, Use};
use svc_domain::people::credentials::{Credential, Kind};

/// A way to prove who the person is, as the account centre calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// An authenticator app.
    App,
    /// Codes on paper.
    BackupCodes,
    /// A passkey.
    Passkey,
    /// A security key, after the password.
    SecurityKey,
    /// A phone number.
    Phone,
    /// An account at another provider.
    Identity,
    /// A wallet.
    Wallet,
}

impl Changed {
    /// What a credential is; nothing where its owner gets no mail about it.
    pub fn of(credential: &Credential) -> Option<Self> {
        Some(match credential.kind? {
            Kind::Totp => Self::App,
            Kind::BackupCode => Self::BackupCodes,
            // One that cannot be read any more can be removed all the same.
            Kind::Passkey => {
                let passkey = credential.document::<Passkey>();
                passkey.map_or(Self::Passkey, |passkey| Self::of_passkey(&passkey))
            }
            Kind::Phone => Self::Phone,
            Kind::Identity => {
                let identity = credential.document::<Identity>();
                identity.map_or(Self::Identity, |identity| Self::of_identity(&identity))
            }
            Kind::TrustedBrowser => return None,
        })
    }

    /// A passkey or a security key.
    pub fn of_passkey(passkey: &Passkey) -> Self {
        match passkey.purpose {
            Use::Passkey => Self::Passkey,
            Use::SecurityKey => Self::SecurityKey,
        }
    }

    /// A wallet or an account at another provider.
    pub fn of_identity(identity: &Identity) -> Self {
        if identity.chain_account().is_some() { Self::Wallet } else { Self::Identity }
    }

    /// The value by which a message chooses its words.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::BackupCodes => "backup-codes",
            Self::Passkey => "passkey",
            Self::SecurityKey => "security-key",
            Self::Phone => "phone",
            Self::Identity => "identity",
            Self::Wallet => "wallet",
        }
    }
}
