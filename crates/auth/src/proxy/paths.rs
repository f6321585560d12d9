//! Addresses at a host behind a proxy that more than one file names.

/// Begins a sign-in.
pub const START: &str = "/auth/proxy/start";
/// Where the code comes back; the address at the host is one of the application's `redirect_uris`.
pub const CALLBACK: &str = "/auth/proxy/callback";
