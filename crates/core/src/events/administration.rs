//! Events about what administrators and operators make and change.

use serde::Serialize;
use serde_json::Value;

use super::declaration::{Described, Event, Member, events};
use crate::{AppId, CustomDomainId, DelegationId, GroupId, RoleId, TenantUserId, Timestamp};

events! {
    ADMINISTRATION:
    /// A member of the default tenant became an operator of the deployment.
    "admin.operator.granted" OperatorGranted {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// The role of the operator: `viewer`, `tenant_manager` or `administrator`.
        role: String,
    }
    /// A member of the default tenant is no longer an operator; the sessions and tokens of the membership have ended.
    "admin.operator.revoked" OperatorRevoked {
        /// The membership.
        tenant_user_id: TenantUserId,
    }
    /// A membership was created.
    "admin.user.created" UserCreated {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// Its `sub` for the tenant's own applications.
        sub: String,
    }
    /// A role was created.
    "admin.role.created" RoleCreated {
        /// The role.
        role_id: RoleId,
        /// Its name.
        name: String,
    }
    /// The description or the permissions of a role changed.
    "admin.role.updated" RoleUpdated {
        /// The role.
        role_id: RoleId,
        /// Its name.
        name: String,
        /// Its permissions now, each with the `api` and its `scopes`.
        permissions: Vec<Value>,
    }
    /// A role that no member had was deleted.
    "admin.role.deleted" RoleDeleted {
        /// The role.
        role_id: RoleId,
        /// Its name.
        name: String,
    }
    /// A group was created.
    "admin.group.created" GroupCreated {
        /// The group.
        group_id: GroupId,
        /// Its name.
        name: String,
        /// The roles of its people.
        roles: Vec<String>,
    }
    /// The name, the description or the roles of a group changed.
    "admin.group.updated" GroupUpdated {
        /// The group.
        group_id: GroupId,
        /// Its name now.
        name: String,
        /// The roles of its people now.
        roles: Vec<String>,
    }
    /// A group was deleted; its people stay.
    "admin.group.deleted" GroupDeleted {
        /// The group.
        group_id: GroupId,
        /// Its name.
        name: String,
    }
    /// A member was put into a group.
    "admin.group.member_added" GroupMemberAdded {
        /// The group.
        group_id: GroupId,
        /// The membership.
        tenant_user_id: TenantUserId,
    }
    /// A member was taken out of a group.
    "admin.group.member_removed" GroupMemberRemoved {
        /// The group.
        group_id: GroupId,
        /// The membership.
        tenant_user_id: TenantUserId,
    }
    /// A group was put into a group: its people have the roles of both.
    "admin.group.nested" GroupNested {
        /// The group.
        group_id: GroupId,
        /// The group that is in it now.
        member_group_id: GroupId,
    }
    /// A group was taken out of a group.
    "admin.group.unnested" GroupUnnested {
        /// The group.
        group_id: GroupId,
        /// The group that was in it.
        member_group_id: GroupId,
    }
    /// A delegation ended, because it was revoked or because its origin was.
    "admin.delegation.revoked" DelegationRevoked {
        /// The delegation.
        delegation_id: DelegationId,
        /// For whom it was.
        tenant_user_id: TenantUserId,
    }
    /// The secret of an application was replaced or removed.
    "admin.application.secret_rotated" SecretRotated {
        /// The application.
        client_id: AppId,
    }
    /// The tenant was created.
    "admin.tenant.created" TenantCreated {
        /// The host label.
        slug: String,
        /// What people read.
        name: String,
        /// The tenant's own domain.
        custom_domain: Option<String>,
    }
    /// The name, the domain or the settings of the tenant changed.
    "admin.tenant.updated" TenantUpdated {
        /// What people read now.
        name: String,
        /// The tenant's own domain now.
        custom_domain: Option<String>,
        /// The settings now.
        settings: Value,
    }
    /// An administrator asked for a domain of the tenant's own, which counts once it is proven.
    "admin.custom_domain.created" CustomDomainCreated {
        /// The claim.
        domain_id: CustomDomainId,
        /// The domain, in ASCII.
        domain: String,
    }
    /// The proof of a custom domain was found: the tenant may answer there.
    "admin.custom_domain.verified" CustomDomainVerified {
        /// The claim.
        domain_id: CustomDomainId,
        /// The domain, in ASCII.
        domain: String,
    }
    /// The tenant answers at a domain of its own, which is its issuer now.
    "admin.custom_domain.activated" CustomDomainActivated {
        /// The claim.
        domain_id: CustomDomainId,
        /// The domain, in ASCII.
        domain: String,
    }
    /// The tenant answers at the host of its slug again, which is its issuer now.
    "admin.custom_domain.deactivated" CustomDomainDeactivated {
        /// The claim.
        domain_id: CustomDomainId,
        /// The domain, in ASCII.
        domain: String,
    }
    /// The proof of a custom domain was missing for too long, so that the tenant does not answer there until it is proven again.
    "admin.custom_domain.lapsed" CustomDomainLapsed {
        /// The claim.
        domain_id: CustomDomainId,
        /// The domain, in ASCII.
        domain: String,
    }
    /// A custom domain was deleted, proven or not.
    "admin.custom_domain.deleted" CustomDomainDeleted {
        /// The claim.
        domain_id: CustomDomainId,
        /// The domain, in ASCII.
        domain: String,
    }
    /// The tenant was suspended: it answers nothing, and its sessions and tokens have ended.
    "admin.tenant.suspended" TenantSuspended {
        /// The host label.
        slug: String,
    }
    /// A suspended tenant answers again.
    "admin.tenant.reactivated" TenantReactivated {
        /// The host label.
        slug: String,
    }
    /// The tenant was deleted: it answers nothing, and everything in it is removed at the time given unless it is restored before.
    "admin.tenant.deleted" TenantDeleted {
        /// The host label.
        slug: String,
        /// When everything in it is removed.
        delete_at: Timestamp,
    }
    /// A tenant that was deleted was restored: it answers again, or is suspended where it was before.
    "admin.tenant.restored" TenantRestored {
        /// The host label.
        slug: String,
        /// `active` or `suspended`.
        status: String,
    }
}
