//! The end of every sign-in: one transaction takes note of the proof, begins the session, and goes as far as the way leads.

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::people::tenant_users::Person;
use svc_http::{IntoResponse, Response};

use super::ceremony::{SignIn, Way};
use super::join;
use super::methods::{Method, Proof};
use super::progress::{Evidence, Progress};
use super::session::start;
use super::steps::Attempt;
use crate::hosted::Device;
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
            Some(person) => enter(tx, self.way, &person, &self.progress).await,
            None => {
                tx.commit().await?;
                join::page(&self, &candidate.account)
            }
        }
    }
}

/// Begins the session of a person who has proven enough, and goes on.
pub async fn enter(
    mut tx: Tx<Tenant>,
    mut way: Way<'_>,
    person: &Person,
    progress: &Progress,
) -> Result<Response> {
    let visit = way.visit();
    let (session, cookie) = start(visit, &mut tx, person, progress).await?;
    let device = Device::remember(visit, person.account_id)?;
    let next = way.advance(&mut tx, &session).await?;
    tx.commit().await?;
    Ok((cookie, device, way.show(next, &session)?).into_response())
}
