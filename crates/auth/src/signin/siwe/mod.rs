//! Sign-in with an account of Ethereum (EIP-4361): the message that its holder signs, and what the contract of an account says of a
//! signature (ERC-1271), also before it is there (ERC-6492).

mod challenge;
mod contract;
mod requester;
mod undeployed;
mod words;

use svc_config::Chain;
use svc_core::capability::Capability;
use svc_http::HostCx;

pub use self::challenge::Challenge;
pub use self::contract::accepts;
pub use self::requester::{Requester, refused};

/// What accounts of Ethereum are called among those that people link.
pub const PROVIDER: &str = "ethereum";
/// What people call them.
pub const NAME: &str = "Ethereum";

/// Whether people can sign in so here.
pub fn is_offered(host: &HostCx) -> bool {
    host.offers(&Capability::SIWE)
}

/// The chains that a message can name.
pub fn chains(host: &HostCx) -> impl Iterator<Item = (u64, &Chain)> {
    host.app.config.chains.iter().filter_map(|chain| Some((chain.chain_id?, chain)))
}

/// One of them.
pub fn chain(host: &HostCx, id: u64) -> Option<&Chain> {
    chains(host).find(|(known, _)| *known == id).map(|(_, chain)| chain)
}
