//! Sign-in with an account of Ethereum (EIP-4361): its holder signs a message that names this host, and that no second sign-in counts.
//!
//! A key's signature is checked here; where it is not the key's, the contract at the address is asked (ERC-1271). Neither can be
//! guessed, so that no address is locked: it is public, and others could lock its holder out.

use std::future::ready;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::{Error, OrInternal as _, Result};
use svc_domain::people::credentials::identities::Identity;
use svc_http::StatusCode;
use svc_keys::ethereum::{Address, personal_hash, signer};
use svc_keys::from_hex;

use super::method::{Beginning, Begun, Judging, Method, Needs, Turn, Verdict};
use super::social::known;
use crate::hosted::Visit;
use crate::pages::MessageKey;
use crate::signin::progress::Factor;
use crate::signin::siwe::{self, Challenge, PROVIDER, Requester, accepts};
use crate::signin::social::UserClaims;

const ID: &str = "siwe";
/// Longest signature, in bytes: contracts take what they like.
const LONGEST: usize = 4096;

/// An account of Ethereum.
pub const METHOD: Method = Method {
    id: ID,
    factor: Factor::Key,
    amr: &["pop"],
    is_offered: siwe::is_offered,
    is_first: true,
    recovers: false,
    needs: Needs::NoProof,
    begin: Some(|turn| -> Beginning<'_> { Box::pin(ready(begin(turn))) }),
    finish: |turn| -> Judging<'_> { Box::pin(judge(turn)) },
    partial: "_siwe.html",
    lists: None,
};

/// What the next step needs to know.
#[derive(Default, Serialize, Deserialize)]
struct Memory {
    /// What is to be signed; nothing before the person has said which account it is.
    #[serde(default)]
    challenge: Option<Challenge>,
    /// The account to which the address is added, if that is what the person came for.
    #[serde(default)]
    links: Option<String>,
}

impl Memory {
    fn of(turn: Turn<'_>) -> Self {
        Self::deserialize(turn.memory).unwrap_or_default()
    }
}

/// First the form that asks for the address, which the message names, then the one that asks for the signature.
fn begin(turn: Turn<'_>) -> Result<Begun> {
    let Turn { visit, params, .. } = turn;
    let (host, links) = (&visit.host, Memory::of(turn).links);
    let Some(typed) = params.one("address") else {
        let chains = siwe::chains(host).map(|(id, chain)| json!({ "id": id, "name": chain.name }));
        let shown = json!({ "message": null, "chains": chains.collect::<Vec<_>>() });
        return Ok(Begun::Ask { shown, memory: remembered(&Memory { challenge: None, links })? });
    };
    let Some(address) = Address::parse(typed.trim()) else {
        return Ok(Begun::Again(StatusCode::OK, MessageKey::SiweAddressInvalid));
    };
    let id = params.one("chain_id").and_then(|id| id.parse().ok());
    let Some(id) = id.filter(|id| siwe::chain(host, *id).is_some()) else {
        return Ok(Begun::Again(StatusCode::OK, MessageKey::SiweChainUnknown));
    };
    let config = &host.app.config;
    let terms = (config.siwe.statement.as_deref(), config.siwe.nonce_lifetime_secs);
    let challenge = Challenge::new(visit.cx(), (address, id), terms);
    let shown = json!({
        "message": challenge.message(host.origin())?,
        "address": challenge.address,
        "by_wallet": params.one("wallet") == Some("yes"),
    });
    Ok(Begun::Ask { shown, memory: remembered(&Memory { challenge: Some(challenge), links })? })
}

fn remembered(memory: &Memory) -> Result<Value> {
    serde_json::to_value(memory).or_internal()
}

async fn judge(turn: Turn<'_>) -> Result<Verdict> {
    let (visit, now) = (turn.visit, turn.visit.cx().now);
    let Memory { challenge: Some(challenge), links } = Memory::of(turn) else {
        return Ok(Verdict::Refused(StatusCode::OK, MessageKey::SignInAgain));
    };
    // Counted before anything is looked at: each refusal is an entry of the audit log, and a replay asks the node as a first use does.
    let requester = Requester::of(visit);
    if let Some(wait) = requester.counted().await {
        return Ok(Verdict::Refused(StatusCode::TOO_MANY_REQUESTS, wait));
    }
    if challenge.is_over(now) {
        return refused(visit, MessageKey::SiweLate, "expired").await;
    }
    let identity = match prove(turn, &challenge).await {
        Ok(Some(identity)) => identity,
        Ok(None) => return refused(visit, MessageKey::SiweFailed, "signature").await,
        // The message is not spent: the same signature can be sent again, as often as the network address may ask.
        Err(error) => {
            tracing::warn!(request_id = visit.cx().request_id, ?error, "the node of a chain gave no answer");
            return Ok(Verdict::Refused(StatusCode::SERVICE_UNAVAILABLE, MessageKey::SiweUnavailable));
        }
    };
    if !visit.host.app.coordination.note(&challenge.once(), now).await? {
        return refused(visit, MessageKey::SiweLate, "replayed").await;
    }
    requester.give_back().await;
    if let Some(account) = links {
        return Ok(Verdict::Links(account, Box::new(identity)));
    }
    let name = Some(identity.label.clone());
    known(visit, UserClaims { identity, email: None, hint: None, name, seen_at: None }, None).await
}

/// The account that has signed: that of a key, or that of a contract on the chain that the message names.
async fn prove(turn: Turn<'_>, challenge: &Challenge) -> Result<Option<Identity>> {
    let host = &turn.visit.host;
    let Some(signature) = turn.params.one("signature").and_then(signature) else { return Ok(None) };
    let (address, id) = (challenge.holder()?, challenge.chain_id);
    let hash = personal_hash(&challenge.message(host.origin())?);
    let identity = |chain| Identity::of_address(PROVIDER, &challenge.address, chain);
    if signer(&hash, &signature) == Some(address) {
        return Ok(Some(identity(None)));
    }
    let chain = siwe::chain(host, id).ok_or_else(|| Error::internal("the chain of a message is gone"))?;
    let is_good = accepts(host, (id, chain), (address, &hash), &signature).await?;
    Ok(is_good.then(|| identity(Some(id))))
}

fn signature(text: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    from_hex(text.strip_prefix("0x").unwrap_or(text)).filter(|bytes| (1..=LONGEST).contains(&bytes.len()))
}

async fn refused(visit: &Visit, message: MessageKey, reason: &'static str) -> Result<Verdict> {
    siwe::refused(visit, (ID, reason)).await?;
    Ok(Verdict::Refused(StatusCode::OK, message))
}
