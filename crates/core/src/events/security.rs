//! Events about attacks and keys.

use serde::Serialize;

use super::declaration::{Described, Event, Member, events};
use crate::{AppId, FamilyId, GuardianId, RecoveryCaseId, TenantUserId, Timestamp};

events! {
    SECURITY:
    /// Guesses reached their limit: an account is locked, or codes of devices were guessed.
    "security.brute_force.detected" BruteForceDetected {
        /// The membership, where the guesses were at one.
        tenant_user_id: Option<TenantUserId>,
        /// `credentials`, `user_codes`, or `recovery_codes` that a guardian typed.
        reason: &'static str,
        /// How many guesses were counted; absent where they were not counted for one person.
        #[serde(skip_serializing_if = "Option::is_none")]
        attempts: Option<u32>,
    }
    /// A refresh token was used twice; its family is revoked.
    "security.refresh_token.reuse" RefreshTokenReused {
        /// The application.
        client_id: AppId,
        /// The membership of the person who had allowed it.
        tenant_user_id: TenantUserId,
        /// The family.
        family_id: FamilyId,
    }
    /// A credential was used in a way that its owner would not use it.
    "security.suspicious_activity" SuspiciousActivity {
        /// The application, if one is concerned.
        #[serde(skip_serializing_if = "Option::is_none")]
        client_id: Option<AppId>,
        /// The membership, where it is a person's.
        #[serde(skip_serializing_if = "Option::is_none")]
        tenant_user_id: Option<TenantUserId>,
        /// What happened.
        reason: String,
    }
    /// A person invited a guardian, by mail.
    "security.guardian.invited" GuardianInvited {
        /// The membership of the person.
        tenant_user_id: TenantUserId,
        /// The guardian.
        guardian_id: GuardianId,
    }
    /// A guardian accepted.
    "security.guardian.accepted" GuardianAccepted {
        /// The membership of the person.
        tenant_user_id: TenantUserId,
        /// The guardian.
        guardian_id: GuardianId,
    }
    /// A person is no longer a guardian.
    "security.guardian.removed" GuardianRemoved {
        /// The membership of the person.
        tenant_user_id: TenantUserId,
        /// The guardian.
        guardian_id: GuardianId,
        /// `removed` by the person, `declined` or `left` by the guardian.
        reason: &'static str,
    }
    /// A browser asked the guardians of a person to recover the account.
    "security.recovery.opened" RecoveryOpened {
        /// The membership of the person.
        tenant_user_id: TenantUserId,
        /// The case.
        case_id: RecoveryCaseId,
        /// Whether another browser had asked before.
        has_others: bool,
    }
    /// A guardian confirmed that the person asked.
    "security.recovery.confirmed" RecoveryConfirmed {
        /// The membership of the person.
        tenant_user_id: TenantUserId,
        /// The case.
        case_id: RecoveryCaseId,
        /// The guardian.
        guardian_id: GuardianId,
        /// Whether there are enough confirmations now, so that the waiting time has begun.
        is_enough: bool,
    }
    /// A guardian said that the person did not ask.
    "security.recovery.refused" RecoveryRefused {
        /// The membership of the person.
        tenant_user_id: TenantUserId,
        /// The case.
        case_id: RecoveryCaseId,
        /// The guardian.
        guardian_id: GuardianId,
    }
    /// The owner of the account cancelled a case.
    "security.recovery.cancelled" RecoveryCancelled {
        /// The membership of the person.
        tenant_user_id: TenantUserId,
        /// The case.
        case_id: RecoveryCaseId,
    }
    /// An account was recovered: it has a new password, and nothing else that opened it before.
    "security.recovery.finished" RecoveryFinished {
        /// The membership of the person.
        tenant_user_id: TenantUserId,
        /// The case.
        case_id: RecoveryCaseId,
    }
    /// A key was made and published; it signs tokens from the given time on.
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
    /// A key no longer signs; it stays published until what it signed has expired.
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
    /// A key of the tenant was destroyed; what it sealed cannot be opened any more.
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
