//! Events about single sign-on of organizations.

use serde::Serialize;

use super::declaration::{Described, Event, Member, events};
use crate::{OrganizationId, SessionId, SsoConnectionId, TenantUserId};

events! {
    SSO:
    /// A connection of an organization to its provider was made, changed or deleted.
    "sso.configured" SsoConfigured {
        /// The organization.
        organization_id: OrganizationId,
        /// The connection.
        connection_id: SsoConnectionId,
        /// `created`, `updated` or `deleted`.
        change: &'static str,
        /// The provider.
        issuer: String,
        /// Whether people can sign in through it.
        enabled: bool,
        /// Whether people of the verified domains must.
        enforced: bool,
    }
    /// A person signed in through the provider of an organization.
    "sso.login.success" SsoLoginSucceeded {
        /// The organization.
        organization_id: OrganizationId,
        /// The connection.
        connection_id: SsoConnectionId,
        /// The membership in the tenant.
        tenant_user_id: TenantUserId,
        /// The session that began.
        session_id: SessionId,
    }
    /// A sign-in through the provider of an organization failed.
    "sso.login.failed" SsoLoginFailed {
        /// The organization.
        organization_id: OrganizationId,
        /// The connection.
        connection_id: SsoConnectionId,
        /// Why, for administrators.
        reason: String,
    }
    /// A person became a member with the first sign-in through the provider of an organization.
    "sso.user.provisioned" SsoUserProvisioned {
        /// The organization.
        organization_id: OrganizationId,
        /// The connection.
        connection_id: SsoConnectionId,
        /// The membership in the tenant.
        tenant_user_id: TenantUserId,
    }
}
