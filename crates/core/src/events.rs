//! The event catalogue: every event that the service emits is a struct with a name, and `docs/reference/events.md` is made of them.

use serde::Serialize;
use serde_json::Value;

use crate::{AppId, DelegationId, FamilyId, SessionId, TenantUserId, Timestamp};

/// An event to emit: its dotted type, and its data without secrets and tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The dotted type.
    pub name: &'static str,
    /// The member `data` of the envelope.
    pub data: Value,
}

/// An event as the catalogue describes it.
pub struct Described {
    /// The dotted type.
    pub name: &'static str,
    /// When it is emitted.
    pub about: &'static str,
    /// The members of its data.
    pub members: &'static [Member],
}

/// A member of an event's data.
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Its type in Rust.
    pub type_name: &'static str,
    /// What it says.
    pub about: &'static str,
}

macro_rules! events {
    ($($(#[doc = $about:literal])+ $name:literal $payload:ident {
        $($(#[doc = $said:literal])+ $(#[serde($($serde:tt)+)])? $member:ident: $type:ty,)*
    })*) => {
        $(
            $(#[doc = $about])+
            #[derive(Clone, Debug, Serialize)]
            pub struct $payload {
                $($(#[doc = $said])+ $(#[serde($($serde)+)])? pub $member: $type,)*
            }

            impl From<$payload> for Event {
                fn from(payload: $payload) -> Self {
                    // Members are texts, numbers and lists of them: they always serialize.
                    Self { name: $name, data: serde_json::to_value(payload).unwrap_or_default() }
                }
            }
        )*

        /// Every event that this version emits, in catalogue order.
        pub const CATALOGUE: &[Described] = &[$(Described {
            name: $name,
            about: concat!($($about),+),
            members: &[$(Member {
                name: stringify!($member),
                type_name: stringify!($type),
                about: concat!($($said),+),
            }),*],
        }),*];
    };
}

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
    /// A membership was created.
    "admin.user.created" UserCreated {
        /// The membership.
        tenant_user_id: TenantUserId,
        /// Its `sub` for the tenant's own applications.
        sub: String,
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
    /// A stored key was sealed under the present version of the keyring.
    "security.signing_key.rewrapped" SigningKeyRewrapped {
        /// The key.
        kid: String,
    }
    /// The keyring of the deployment got another version.
    "security.keyring.changed" KeyringChanged {
        /// The version.
        version: i64,
    }
}

/// Types of features that are not there yet; subscriptions may name them already.
pub const RESERVED: &[&str] = &[
    "auth.mfa.challenge",
    "auth.mfa.verify",
    "auth.adaptive_mfa.triggered",
    "admin.agent.registered",
    "vault.credential.created",
    "vault.grant.revoked",
    "vault.credential.accessed",
    "wallet.tx.signed",
    "wallet.tx.rejected",
    "wallet.budget.exceeded",
    "chain.ownership.changed",
    "chain.reputation.updated",
    "chain.metadata.changed",
    "sso.configured",
    "sso.login.success",
    "sso.login.failed",
    "sso.user.provisioned",
    "org.created",
    "org.member.added",
    "org.member.role_changed",
    "commerce.payment.pending",
    "commerce.payment.succeeded",
    "commerce.payment.failed",
    "commerce.payment.refunded",
    "commerce.settlement.created",
    "commerce.settlement.held",
    "commerce.settlement.released",
    "commerce.dispute.opened",
    "commerce.dispute.closed",
    "commerce.payout.submitted",
    "commerce.payout.paid",
    "commerce.payout.failed",
    "commerce.statement.created",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_dotted_and_distinct() {
        let names: Vec<_> =
            CATALOGUE.iter().map(|event| event.name).chain(RESERVED.iter().copied()).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        for name in names {
            let is_word = |word: &str| {
                !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            };
            assert!(name.contains('.') && name.split('.').all(is_word), "{name}");
        }
    }

    #[test]
    fn the_data_of_an_event_are_the_members_that_the_catalogue_describes() {
        let kid = "key-1".to_owned();
        let event = Event::from(SigningKeyBroughtForward { kid, signs_from: Timestamp::from_secs(0) });
        let described = CATALOGUE.iter().find(|described| described.name == event.name).unwrap();
        let members: Vec<_> = event.data.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members, described.members.iter().map(|member| member.name).collect::<Vec<_>>());
        assert_eq!(event.data["signs_from"], "1970-01-01T00:00:00Z");
    }
}
