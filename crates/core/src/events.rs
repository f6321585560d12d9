//! The event catalogue: every event that the service emits is a struct with a name, and `docs/reference/events.md` is made of them.

mod declaration;
mod reserved;

use serde::Serialize;
use serde_json::Value;

use self::declaration::events;
pub use self::declaration::{Described, Event, Member};
pub use self::reserved::RESERVED;
use crate::{
    AppId, DelegationId, FamilyId, GroupId, OrganizationId, OrganizationInvitationId, RoleId, SessionId,
    TenantUserId, Timestamp, WebhookId,
};

events! {
    /// A person signed in, and a session began.
    "auth.login.success" LoginSucceeded {
        /// The person's `sub` for the tenant's own applications.
        sub: String,
        /// The membership.
        tenant_user_id: TenantUserId,
        /// The session; the `sid` of ID tokens.
        session_id: SessionId,
        /// The methods that were used (RFC 8176).
        amr: Vec<String>,
    }
    /// A sign-in was refused.
    "auth.login.failure" LoginFailed {
        /// The membership, where the name that was typed belongs to one.
        tenant_user_id: Option<TenantUserId>,
        /// The sign-in method.
        method: &'static str,
        /// `credentials`, or `locked` where the guess was not judged.
        reason: &'static str,
    }
    /// A session ended: the person signed out, or an administrator ended it.
    "auth.logout" LoggedOut {
        /// The person's `sub` for the tenant's own applications.
        sub: String,
        /// The session.
        session_id: SessionId,
    }
    /// Tokens were issued. Tokens by client credentials are counted, and told once a second.
    "auth.token.issued" TokenIssued {
        /// The application.
        client_id: AppId,
        /// Whom the access token is about.
        sub: String,
        /// The API that it is for.
        aud: String,
        /// What it permits; absent where tokens are counted.
        #[serde(skip_serializing_if = "Option::is_none")]
        scope: Option<String>,
        /// The grant.
        grant_type: Option<String>,
        /// How many tokens; absent for one.
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<u64>,
    }
    /// An application gave a token back.
    "auth.token.revoked" TokenRevoked {
        /// The application.
        client_id: AppId,
        /// The `jti` of the access token, or the family of the refresh token.
        token: String,
    }
    /// An account was created for a person.
    "account.created" AccountCreated {
        /// Whether its address is proven.
        email_verified: bool,
        /// Whether it has a password.
        has_password: bool,
    }
    /// The password of an account was set here. Other tenants learn of it by a security event token, if they asked for those.
    "account.password_changed" PasswordChanged {
        /// The membership, where the account has one here.
        tenant_user_id: Option<TenantUserId>,
        /// Whether there was no password before.
        is_first: bool,
    }
    /// The owner of an account proved to own its address.
    "account.email_verified" EmailVerified {
        /// The membership, where the account has one here.
        tenant_user_id: Option<TenantUserId>,
    }
    /// The standard claims of an account changed here.
    "account.profile_changed" ProfileChanged {
        /// The membership.
        tenant_user_id: TenantUserId,
    }
    /// A person was invited to become a member.
    "tenant_user.invited" TenantUserInvited {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// Its `sub` for the tenant's own applications.
        sub: String,
    }
    /// A person became a member who may sign in.
    "tenant_user.activated" TenantUserActivated {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// Its `sub` for the tenant's own applications.
        sub: String,
    }
    /// A member may not sign in for now; sessions and tokens have ended.
    "tenant_user.suspended" TenantUserSuspended {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// Its `sub` for the tenant's own applications.
        sub: String,
    }
    /// A membership ended for good.
    "tenant_user.removed" TenantUserRemoved {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// Its `sub` for the tenant's own applications.
        sub: String,
    }
    /// The roles of a member changed.
    "tenant_user.roles_changed" RolesChanged {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// Its roles now.
        roles: Vec<String>,
    }
    /// The sign-in name of a member changed.
    "tenant_user.username_changed" UsernameChanged {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// Its name now.
        username: Option<String>,
    }
    /// An account of a member was disabled; it cannot sign in anywhere, and its sessions and tokens have ended.
    "account.disabled" AccountDisabled {
        /// The membership.
        tenant_user_id: TenantUserId,
    }
    /// A disabled account of a member may sign in again.
    "account.enabled" AccountEnabled {
        /// The membership.
        tenant_user_id: TenantUserId,
    }
    /// A member of the default tenant became an operator of the deployment.
    "admin.operator.granted" OperatorGranted {
        /// The membership.
        tenant_user_id: TenantUserId,
    }
    /// A member of the default tenant is an operator no more; the sessions and tokens of the membership have ended.
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
        /// Its permissions now.
        permissions: Value,
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
    /// An organization was created.
    "org.created" OrganizationCreated {
        /// The organization.
        organization_id: OrganizationId,
        /// What addresses and requests call it.
        slug: String,
        /// The member who answers for it.
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
    /// Another member answers for an organization.
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
    /// The roles of a member of an organization changed.
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
    /// An invitation to an organization was taken back.
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
    /// A delegation ended, because it was revoked or because its origin was.
    "admin.delegation.revoked" DelegationRevoked {
        /// The delegation.
        delegation_id: DelegationId,
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
    /// A subscription to events was created.
    "admin.webhook.created" WebhookCreated {
        /// The subscription.
        webhook_id: WebhookId,
    }
    /// A subscription to events was changed, activated or deactivated.
    "admin.webhook.updated" WebhookUpdated {
        /// The subscription.
        webhook_id: WebhookId,
        /// Whether events are sent to it now.
        active: bool,
    }
    /// The service deactivated a subscription.
    "admin.webhook.deactivated" WebhookDeactivated {
        /// The subscription.
        webhook_id: WebhookId,
        /// `gone` where the receiver answered 410, `failing` where it took nothing for days.
        reason: &'static str,
    }
    /// The secret of a subscription was replaced.
    "admin.webhook.secret_rotated" WebhookSecretRotated {
        /// The subscription.
        webhook_id: WebhookId,
    }
    /// A subscription to events was deleted.
    "admin.webhook.deleted" WebhookDeleted {
        /// The subscription.
        webhook_id: WebhookId,
    }
    /// A test that a subscription was asked for: sent to that subscription alone, whichever types it chose.
    "webhook.test" WebhookTested {
        /// The subscription.
        webhook_id: WebhookId,
    }
    /// Guesses reached their limit: an account is locked, or codes of devices were guessed.
    "security.brute_force.detected" BruteForceDetected {
        /// The membership, where the guesses were at one.
        tenant_user_id: Option<TenantUserId>,
        /// `credentials` or `user_codes`.
        reason: &'static str,
        /// How many guesses were counted; absent where they were not counted for one person.
        #[serde(skip_serializing_if = "Option::is_none")]
        attempts: Option<u32>,
    }
    /// A refresh token was used twice; its family is revoked.
    "security.refresh_token.reuse" RefreshTokenReused {
        /// The application.
        client_id: AppId,
        /// The family.
        family_id: FamilyId,
    }
    /// A credential was used in a way that its owner would not use it.
    "security.suspicious_activity" SuspiciousActivity {
        /// The application.
        client_id: AppId,
        /// What happened.
        reason: String,
    }
    /// A key was made that signs tokens from the given time on; it is published already.
    "security.signing_key.created" SigningKeyCreated {
        /// The key.
        kid: String,
        /// What it signs with.
        algorithm: String,
        /// When it begins to sign.
        signs_from: Timestamp,
    }
    /// A key that is published already begins to sign earlier than announced.
    "security.signing_key.brought_forward" SigningKeyBroughtForward {
        /// The key.
        kid: String,
        /// When it begins to sign.
        signs_from: Timestamp,
    }
    /// A key began to sign in place of its predecessor.
    "security.signing_key.rotated" SigningKeyRotated {
        /// The key.
        kid: String,
    }
    /// A key signs no more; it stays published until what it signed has expired.
    "security.signing_key.retired" SigningKeyRetired {
        /// The key.
        kid: String,
    }
    /// A key was withdrawn: it left the key set at once, and what it signed has ended.
    "security.signing_key.withdrawn" SigningKeyWithdrawn {
        /// The key.
        kid: String,
    }
    /// A stored key was sealed under the present version of the keyring.
    "security.signing_key.rewrapped" SigningKeyRewrapped {
        /// The key.
        kid: String,
    }
    /// A key of the tenant was destroyed; what it sealed opens nowhere any more.
    "security.tenant_key.destroyed" TenantKeyDestroyed {
        /// The key.
        key: i64,
    }
    /// The keyring of the deployment got another version.
    "security.keyring.changed" KeyringChanged {
        /// The version.
        version: i64,
    }
}

#[cfg(test)]
mod tests;
