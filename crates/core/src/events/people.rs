//! Events about people: sign-ins, tokens, accounts and memberships.

use serde::Serialize;

use super::declaration::{Described, Event, Member, events};
use crate::{AppId, SessionId, TenantUserId, TermsId, Timestamp};

events! {
    PEOPLE:
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
        /// `credentials`, `locked` where the guess was not checked, `not_admitted` where the credential was right and the
        /// person may not sign in, or `provider` where the sign-in at another provider failed.
        reason: &'static str,
    }
    /// A session ended: the person signed out, or an administrator ended it.
    "auth.logout" LoggedOut {
        /// The person's `sub` for the tenant's own applications.
        sub: String,
        /// The membership.
        tenant_user_id: TenantUserId,
        /// The session.
        session_id: SessionId,
    }
    /// Tokens were issued. Tokens by client credentials are counted, and reported once a second.
    "auth.token.issued" TokenIssued {
        /// The application.
        client_id: AppId,
        /// The subject of the access token.
        sub: String,
        /// The membership of the person; absent where an application or a key got tokens for itself.
        #[serde(skip_serializing_if = "Option::is_none")]
        tenant_user_id: Option<TenantUserId>,
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
    /// The password of an account was set here. Other tenants are notified by a security event token, if they subscribed to
    /// those.
    "account.password_changed" PasswordChanged {
        /// The membership, where the account has one here.
        tenant_user_id: Option<TenantUserId>,
        /// Whether there was no password before.
        is_first: bool,
    }
    /// A credential was added to an account: a second factor, a passkey, a phone number, an account at another provider, a trusted browser.
    "account.credential_added" CredentialAdded {
        /// The membership, where the account has one here.
        tenant_user_id: Option<TenantUserId>,
        /// `totp`, `backup_code`, `passkey`, `phone`, `trusted_browser` or `identity` (an account at another provider).
        kind: &'static str,
    }
    /// A credential was removed from an account.
    "account.credential_removed" CredentialRemoved {
        /// The membership, where the account has one here.
        tenant_user_id: Option<TenantUserId>,
        /// `totp`, `backup_code`, `passkey`, `phone`, `trusted_browser` or `identity` (an account at another provider); `unknown` for one
        /// that a newer version added.
        kind: &'static str,
    }
    /// A person who has lost the password has proven the account by other factors of it, and may choose a new password.
    "account.recovery_proven" AccountProven {
        /// The membership, where the account has one here.
        tenant_user_id: Option<TenantUserId>,
        /// How, as `amr` values (RFC 8176).
        amr: Vec<String>,
    }
    /// A sign-in asks for a second factor.
    "auth.mfa.challenge" FactorAsked {
        /// The membership, where the account has one here.
        tenant_user_id: Option<TenantUserId>,
        /// The methods that the person can choose from.
        methods: Vec<String>,
    }
    /// A second factor was judged in a sign-in.
    "auth.mfa.verify" FactorJudged {
        /// The membership, where the account has one here.
        tenant_user_id: Option<TenantUserId>,
        /// The method.
        method: &'static str,
        /// Whether it was proven.
        success: bool,
    }
    /// A sign-in was unusual, and was refused, needed a second factor, or was reported to the person.
    "auth.adaptive_mfa.triggered" SignInUnusual {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// How unusual it is, from 0 to 100.
        score: u32,
        /// Why: `new_device`, `new_network`, `unusual_hour`, `impossible_travel`, `many_failures` or `disposable_address`.
        reasons: Vec<String>,
        /// `asked` for a second factor, `refused`, or `told` where the person goes on and gets a mail.
        outcome: &'static str,
    }
    /// The owner of an account proved to own its address.
    "account.email_verified" EmailVerified {
        /// The membership, where the account has one here.
        tenant_user_id: Option<TenantUserId>,
    }
    /// The owner of an account gave it another address, and proved to own it.
    "account.email_changed" EmailChanged {
        /// The membership.
        tenant_user_id: TenantUserId,
    }
    /// A person asked for their account to be deleted; until then they may keep it.
    "account.deletion_begun" AccountDeletionBegun {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// When it ends.
        delete_at: Timestamp,
    }
    /// A person keeps the account that was to be deleted.
    "account.kept" AccountKept {
        /// The membership.
        tenant_user_id: TenantUserId,
    }
    /// The standard claims of an account changed here.
    "account.profile_changed" ProfileChanged {
        /// The membership.
        tenant_user_id: TenantUserId,
    }
    /// A person went on as a guest, without saying who they are.
    "account.guest_created" GuestCreated {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// The application by which the person came.
        client_id: AppId,
    }
    /// A guest became a person who is known, with an address and a credential, under the same `sub`.
    "account.guest_kept" GuestKept {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// Its `sub` for the tenant's own applications.
        sub: String,
    }
    /// A person was invited to become a member.
    "tenant_user.invited" TenantUserInvited {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// Its `sub` for the tenant's own applications.
        sub: String,
    }
    /// An account became a member who may sign in once its owner has agreed to that.
    "tenant_user.pre_provisioned" TenantUserPreProvisioned {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// Its `sub` for the tenant's own applications.
        sub: String,
    }
    /// A person became a member who may sign in; the end of a suspension is `tenant_user.reactivated`.
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
    /// A suspended member may sign in again; the sessions and tokens of before stay ended.
    "tenant_user.reactivated" TenantUserReactivated {
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
    /// The tenant's metadata about a member changed; the management API shows it.
    "tenant_user.metadata_changed" TenantUserMetadataChanged {
        /// The membership.
        tenant_user_id: TenantUserId,
    }
    /// A person accepted a version of a document of the tenant.
    "terms.accepted" TermsAccepted {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// The version, by its id.
        terms_id: TermsId,
        /// The document.
        key: String,
        /// The name of the version.
        label: String,
        /// The language in which it was linked.
        language: String,
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
}
