//! What follows a proof: the next step of the sign-in, the question whether to join, or the way in.

use svc_core::Result;
use svc_http::Response;

use super::attempt::Attempt;
use super::ceremony::SignIn;
use super::enter::enter;
use super::join;
use super::methods::{Method, Proof};
use super::progress::Evidence;
use crate::pages::MessageKey;

impl SignIn<'_> {
    /// Adds a proof, and asks for what is still missing, or lets the person in.
    pub async fn proven(mut self, method: &Method, proof: &Proof) -> Result<Response> {
        let visit = self.visit();
        let mut tx = visit.host.begin().await?;
        let amr = method.amr.iter().map(|value| (*value).to_owned()).collect();
        let evidence = Evidence { factor: method.factor, amr, at: visit.cx().now };
        let progress = self.progress.with(proof.account.id, evidence);
        let settled = match progress {
            Some(_) => proof.settle(&mut tx, visit.cx(), &visit.host).await?,
            None => None,
        };
        let (Some(candidate), Some(progress)) = (settled, progress) else {
            tx.rollback().await?;
            return self.page(&Attempt { error: Some(MessageKey::WrongCredentials), ..Attempt::default() });
        };
        (self.progress, self.pending) = (progress, None);
        match candidate.member {
            _ if !self.missing().is_empty() => {
                tx.commit().await?;
                self.page(&Attempt { notice: Some(MessageKey::OneMoreStep), ..Attempt::default() })
            }
            Some(person) if person.may_sign_in() => enter(tx, self.way, &person, &self.progress).await,
            _ => {
                tx.commit().await?;
                join::page(&self, &candidate.account)
            }
        }
    }
}
