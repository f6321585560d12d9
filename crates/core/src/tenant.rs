//! The tenant boundary as a type: a `TenantId` exists only where its origin proves it.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::TenantRef;

/// A tenant that this request may act in.
///
/// INVARIANT: never made from a request body or parameter. `proven` is banned by `clippy.toml`; the few places that
/// may call it say why.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TenantId(TenantRef);

/// What proves that a caller belongs to a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The host that the request was sent to names the tenant.
    ResolvedHost,
    /// A token that we signed carries the tenant.
    VerifiedToken,
    /// An operator, or the service itself, chose the tenant.
    Operator,
}

impl TenantId {
    /// Turns a reference into a tenant; the caller answers for `origin`.
    pub fn proven(tenant: TenantRef, _origin: Origin) -> Self {
        Self(tenant)
    }

    /// The plain reference, for comparison with untrusted input.
    pub fn reference(self) -> TenantRef {
        self.0
    }
}

impl fmt::Display for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for TenantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for TenantId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
