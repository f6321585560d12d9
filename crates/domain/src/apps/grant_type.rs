//! What a grant says of itself: applications, registration, discovery and the token endpoint are held to it.

use svc_core::capability::Capability;

/// The facts of one grant; they stand in the file that implements it.
#[derive(Clone, Copy, Debug)]
pub struct GrantType {
    /// The `grant_type` (RFC 6749 §4.5).
    pub name: &'static str,
    /// The short name in metrics and documentation.
    pub label: &'static str,
    /// What it belongs to, where it can be switched off.
    pub capability: Option<&'static Capability>,
    /// Only for applications that authenticate.
    pub is_confidential: bool,
    /// An application may register itself with it (RFC 7591), because a person decides in it.
    pub may_be_self_registered: bool,
    /// Its tokens are about a person; without one they are about the application itself.
    pub needs_person: bool,
    /// The parameters of the token request without which it refuses.
    pub needed: &'static [&'static str],
    /// Those that it reads besides these and what every grant reads.
    pub parameters: &'static [&'static str],
}
