//! Events about organizations, their members and invitations.

use serde::Serialize;

use super::declaration::{Described, Event, Member, events};
use crate::{OrganizationDomainId, OrganizationId, OrganizationInvitationId, TenantUserId};

events! {
    ORGANIZATIONS:
    /// An organization was created.
    "org.created" OrganizationCreated {
        /// The organization.
        organization_id: OrganizationId,
        /// The name in addresses and requests.
        slug: String,
        /// The member who owns it.
        owner_id: TenantUserId,
    }
    /// The name, the status or anything else of an organization changed.
    "org.updated" OrganizationUpdated {
        /// The organization.
        organization_id: OrganizationId,
        /// What people read now.
        name: String,
        /// `active` or `suspended`.
        status: &'static str,
    }
    /// An organization was deleted; its people stay in the tenant.
    "org.deleted" OrganizationDeleted {
        /// The organization.
        organization_id: OrganizationId,
        /// What it was called.
        slug: String,
    }
    /// An organization got another owner.
    "org.owner_changed" OrganizationOwnerChanged {
        /// The organization.
        organization_id: OrganizationId,
        /// The member.
        owner_id: TenantUserId,
    }
    /// A person became a member of an organization.
    "org.member.added" OrganizationMemberAdded {
        /// The organization.
        organization_id: OrganizationId,
        /// The membership in the tenant.
        tenant_user_id: TenantUserId,
        /// The roles in the organization.
        roles: Vec<String>,
    }
    /// The roles of a member of an organization changed: they were given or taken, or a group of the organization's directory gives
    /// others. Where one change of a group concerns more than 1000 people, `org.updated` is emitted instead.
    "org.member.role_changed" OrganizationMemberRoleChanged {
        /// The organization.
        organization_id: OrganizationId,
        /// The membership in the tenant.
        tenant_user_id: TenantUserId,
        /// The roles in the organization now.
        roles: Vec<String>,
    }
    /// A person is no member of an organization any more.
    "org.member.removed" OrganizationMemberRemoved {
        /// The organization.
        organization_id: OrganizationId,
        /// The membership in the tenant.
        tenant_user_id: TenantUserId,
    }
    /// A person was invited to an organization by mail.
    "org.invitation.created" OrganizationInvitationCreated {
        /// The organization.
        organization_id: OrganizationId,
        /// The invitation.
        invitation_id: OrganizationInvitationId,
        /// The roles in the organization that it gives.
        roles: Vec<String>,
    }
    /// An invitation to an organization was revoked.
    "org.invitation.revoked" OrganizationInvitationRevoked {
        /// The organization.
        organization_id: OrganizationId,
        /// The invitation.
        invitation_id: OrganizationInvitationId,
    }
    /// A person accepted an invitation to an organization.
    "org.invitation.accepted" OrganizationInvitationAccepted {
        /// The organization.
        organization_id: OrganizationId,
        /// The invitation.
        invitation_id: OrganizationInvitationId,
        /// The membership in the tenant.
        tenant_user_id: TenantUserId,
    }
    /// An organization claimed a domain, which counts once it is proven.
    "org.domain.created" OrganizationDomainCreated {
        /// The organization.
        organization_id: OrganizationId,
        /// The claim.
        domain_id: OrganizationDomainId,
        /// The domain, in ASCII.
        domain: String,
    }
    /// An organization proved a domain.
    "org.domain.verified" OrganizationDomainVerified {
        /// The organization.
        organization_id: OrganizationId,
        /// The claim.
        domain_id: OrganizationDomainId,
        /// The domain, in ASCII.
        domain: String,
    }
    /// The proof of a domain was missing for too long, so that the domain counts no more until it is proven again.
    "org.domain.lapsed" OrganizationDomainLapsed {
        /// The organization.
        organization_id: OrganizationId,
        /// The claim.
        domain_id: OrganizationDomainId,
        /// The domain, in ASCII.
        domain: String,
    }
    /// A domain is no longer an organization's, proven or not.
    "org.domain.deleted" OrganizationDomainDeleted {
        /// The organization.
        organization_id: OrganizationId,
        /// The claim.
        domain_id: OrganizationDomainId,
        /// The domain, in ASCII.
        domain: String,
    }
}
