//! What is sealed; each purpose under keys of its own.

/// What is sealed; each purpose under keys of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Sign-in flows and forms, carried by browsers.
    Forms,
    /// Cursors of lists, carried by callers.
    Cursors,
    /// Stored responses to repeated requests.
    Replies,
    /// Nonces of DPoP proofs.
    ProofNonces,
    /// Private signing keys at rest.
    SigningKeys,
    /// The keys of tenants at rest.
    TenantKeys,
    /// Messages that wait to be sent.
    Messages,
    /// Credentials of others that have to be presented again.
    Credentials,
}

impl Purpose {
    /// Every purpose.
    pub const ALL: &'static [Self] = &[
        Self::Forms,
        Self::Cursors,
        Self::Replies,
        Self::ProofNonces,
        Self::SigningKeys,
        Self::TenantKeys,
        Self::Messages,
        Self::Credentials,
    ];

    /// The name that the purpose's keys are derived by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forms => "hosted forms",
            Self::Cursors => "list cursors",
            Self::Replies => "idempotent responses",
            Self::ProofNonces => "nonces of DPoP proofs",
            Self::SigningKeys => "signing keys",
            Self::TenantKeys => "tenant keys",
            Self::Messages => "messages",
            Self::Credentials => "credentials",
        }
    }

    /// The purpose of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|purpose| purpose.name() == name)
    }

    /// Whether processes that serve requests hold its keys: what wraps other keys stays with key management.
    pub fn is_handed_out(self) -> bool {
        !matches!(self, Self::SigningKeys | Self::TenantKeys)
    }

    /// Whether a tenant's own key seals it: what is worth keeping of a tenant's, and ends with its key.
    pub fn is_of_tenant(self) -> bool {
        matches!(self, Self::Replies | Self::Messages | Self::Credentials)
    }
}
