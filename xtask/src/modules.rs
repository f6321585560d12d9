//! Modules of the integration tests that are run once more, in layouts of several processes.

/// What nodes coordinate for: limits, what counts once, leases, news.
pub const COORDINATED: &[&str] = &[
    "client_keys::assertions",
    "delegation::races",
    "dpop::par",
    "dpop::refresh",
    "dpop::replay",
    "http_security::limits",
    "pages_security::guessing",
    "par::pushing",
    "polling::device_page",
    "polling::signed_requests",
    "register::documents",
    "revocation::",
];

/// What each plane does, with the database role of the plane.
pub const DIVIDED: &[&str] = &[
    "account::",
    "api_keys::",
    "audit::",
    "client_credentials::",
    "code_flow::",
    "control_plane::",
    "forward_auth::",
    "groups::",
    "guests::",
    "imports::",
    "members::",
    "organizations::",
    "policies::",
    "polling::",
    "recovery::",
    "register::",
    "roles::",
    "scim::",
    "search::",
    "shared_signals::",
    "social::",
    "unusual_sign_ins::",
    "userinfo::",
];
