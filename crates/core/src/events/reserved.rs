//! Event types that subscriptions may name before there is anything that emits them.

/// Types of features that are not there yet; subscriptions may name them already.
pub const RESERVED: &[&str] = &[
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
