//! What a request cannot bring twice, its assertion and its proof (RFC 7523 §3, RFC 9449 §11.1): noted in the transaction that
//! decides on the request, or, where nothing is committed, before the request is answered. Where notes are not the database's,
//! they are written before the transaction begins.

use std::sync::atomic::{AtomicBool, Ordering};

use svc_core::{Class, Error, Result};
use svc_db::coordination::Once;
use svc_db::{Tenant, Tx};
use svc_http::{HostCx, dpop};

use super::refused::refused;
use super::{assertion, refusals};

/// The notes of one request, to be written before it has an effect or an answer.
pub struct Notes {
    client_id: String,
    assertion: Option<Once>,
    proof: Option<Once>,
    are_kept: AtomicBool,
}

impl Notes {
    /// Those of a request that brings nothing of the kind.
    pub fn none(client_id: String) -> Self {
        Self::new(client_id, None, None)
    }

    pub(super) fn new(client_id: String, assertion: Option<Once>, proof: Option<Once>) -> Self {
        Self { client_id, assertion, proof, are_kept: AtomicBool::new(false) }
    }

    /// Writes them now, unless they can be written into the transaction that is to begin: nothing else is awaited while it is
    /// open. A decision that fails leaves a used proof.
    pub async fn before(&self, host: &HostCx) -> Result<()> {
        if host.app.coordination.notes_with_transactions() { Ok(()) } else { self.keep(host).await }
    }

    /// Writes them into the transaction that decides, before anything else of it: of two that bring the same, one waits for the
    /// other's end. A refused transaction has to be rolled back before [`Notes::settle`].
    pub async fn write(&self, host: &HostCx, tx: &mut Tx<Tenant>) -> Result<()> {
        if self.are_kept.load(Ordering::Relaxed) {
            return Ok(());
        }
        let kinds =
            [(&self.assertion, assertion::used as fn() -> Error), (&self.proof, dpop::used as fn() -> Error)];
        let present = kinds.into_iter().filter_map(|(once, used)| Some((once.clone()?, used)));
        let (notes, faults): (Vec<_>, Vec<_>) = present.unzip();
        if notes.is_empty() {
            return Ok(());
        }
        let news = host.app.coordination.note_within(tx, &notes, host.cx.now).await?;
        let used = news.into_iter().zip(faults).find(|(is_new, _)| !is_new);
        used.map_or(Ok(()), |(_, used)| Err(used()))
    }

    /// Says that the transaction into which they were written is committed.
    pub fn kept(&self) {
        self.are_kept.store(true, Ordering::Relaxed);
    }

    /// Writes them alone, both in one commit; fails where one was there already.
    pub async fn keep(&self, host: &HostCx) -> Result<()> {
        let note = async |once: &Option<Once>| match once {
            Some(once) => host.app.coordination.note(once, host.cx.now).await,
            None => Ok(true),
        };
        let (is_first_assertion, is_first_proof) = tokio::join!(note(&self.assertion), note(&self.proof));
        self.kept();
        if !is_first_assertion? {
            let error = assertion::used();
            refusals::of_client(host, &self.client_id, &error).await;
            return Err(refused().caused_by(error));
        }
        if is_first_proof? { Ok(()) } else { Err(dpop::used()) }
    }

    /// What the request is answered with: nothing is, before they are written.
    pub async fn settle<T>(&self, host: &HostCx, outcome: Result<T>) -> Result<T> {
        if self.are_kept.load(Ordering::Relaxed) {
            return outcome;
        }
        match (self.keep(host).await, outcome) {
            // What is refused already is not refused for its proof as well.
            (Err(error), Err(other)) if error.class() == Class::InvalidDpopProof => Err(other),
            (Err(error), _) => Err(error),
            (Ok(()), outcome) => outcome,
        }
    }
}
