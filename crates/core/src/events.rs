//! The event catalogue: every dotted type that subscriptions may name.

use std::fmt;
use std::str::FromStr;

use crate::Error;

macro_rules! events {
    ($($variant:ident = $name:literal,)*) => {
        /// A type of event.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the table below is the documentation")]
        pub enum EventType { $($variant),* }

        impl EventType {
            /// Every type, in catalogue order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The dotted name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }
    };
}

events! {
    AuthLoginSuccess = "auth.login.success",
    AuthLoginFailure = "auth.login.failure",
    AuthLogout = "auth.logout",
    AuthTokenIssued = "auth.token.issued",
    AuthTokenRevoked = "auth.token.revoked",
    AuthMfaChallenge = "auth.mfa.challenge",
    AuthMfaVerify = "auth.mfa.verify",
    AuthAdaptiveMfaTriggered = "auth.adaptive_mfa.triggered",
    TenantUserInvited = "tenant_user.invited",
    TenantUserActivated = "tenant_user.activated",
    TenantUserSuspended = "tenant_user.suspended",
    TenantUserRemoved = "tenant_user.removed",
    AdminUserCreated = "admin.user.created",
    AdminAgentRegistered = "admin.agent.registered",
    AdminDelegationRevoked = "admin.delegation.revoked",
    VaultCredentialCreated = "vault.credential.created",
    VaultGrantRevoked = "vault.grant.revoked",
    VaultCredentialAccessed = "vault.credential.accessed",
    WalletTxSigned = "wallet.tx.signed",
    WalletTxRejected = "wallet.tx.rejected",
    WalletBudgetExceeded = "wallet.budget.exceeded",
    ChainOwnershipChanged = "chain.ownership.changed",
    ChainReputationUpdated = "chain.reputation.updated",
    ChainMetadataChanged = "chain.metadata.changed",
    SsoConfigured = "sso.configured",
    SsoLoginSuccess = "sso.login.success",
    SsoLoginFailed = "sso.login.failed",
    SsoUserProvisioned = "sso.user.provisioned",
    OrgCreated = "org.created",
    OrgMemberAdded = "org.member.added",
    OrgMemberRoleChanged = "org.member.role_changed",
    CommercePaymentPending = "commerce.payment.pending",
    CommercePaymentSucceeded = "commerce.payment.succeeded",
    CommercePaymentFailed = "commerce.payment.failed",
    CommercePaymentRefunded = "commerce.payment.refunded",
    CommerceSettlementCreated = "commerce.settlement.created",
    CommerceSettlementHeld = "commerce.settlement.held",
    CommerceSettlementReleased = "commerce.settlement.released",
    CommerceDisputeOpened = "commerce.dispute.opened",
    CommerceDisputeClosed = "commerce.dispute.closed",
    CommercePayoutSubmitted = "commerce.payout.submitted",
    CommercePayoutPaid = "commerce.payout.paid",
    CommercePayoutFailed = "commerce.payout.failed",
    CommerceStatementCreated = "commerce.statement.created",
    SecurityBruteForceDetected = "security.brute_force.detected",
    SecurityRefreshTokenReuse = "security.refresh_token.reuse",
    SecuritySuspiciousActivity = "security.suspicious_activity",
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EventType {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let known = Self::ALL.iter().find(|event| event.name() == text);
        known
            .copied()
            .ok_or_else(|| Error::bad_request(format!("event_types: {text:?} is not an event type")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_parse_back() {
        for event in EventType::ALL {
            assert_eq!(event.name().parse::<EventType>().unwrap(), *event);
        }
    }
}
