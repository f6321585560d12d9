//! `[wallet]`, `[[chains]]`, `[siwe]`: keys on block chains, and sign-in with them.

use super::load::section::section;
use svc_core::{Seconds, Secret};

section! {
    /// Wallets of agents, whose keys stay in key management.
    #[mark(Unused)]
    Wallet {
        /// Whether tenants may use them.
        enabled: bool = false;
        /// Unsigned requests of one wallet.
        max_open_requests: u32 = 100, 1..=10_000;
        /// Life of an unapproved request.
        approval_lifetime_secs: Seconds = Seconds(900), 60..=86_400;
    }
}

section! {
    /// A chain that wallets and accounts of Ethereum are on; `name`, `chain_id` and `rpc_url` are required.
    Chain {
        /// Name: lower-case letters, digits, hyphens.
        name: Option<String> = None;
        /// Number of the chain (EIP-155).
        chain_id: Option<u64> = None;
        /// Address of a node; a secret, because providers put keys into it.
        rpc_url: Option<Secret> = None;
        /// Blocks after which a transaction counts as settled.
        #[mark(Unused)]
        confirmations: u32 = 12, 1..=1000;
    }
}

section! {
    /// Sign-in with an Ethereum account (EIP-4361).
    Siwe {
        /// Whether it is offered; takes at least one of `[[chains]]`.
        enabled: bool = false;
        /// Life of a message, and of the nonce in it.
        nonce_lifetime_secs: Seconds = Seconds(300), 30..=900;
        /// Sentence that the wallet shows: ASCII without `"`, `%` and line breaks.
        statement: Option<String> = None;
    }
}
