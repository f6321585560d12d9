//! The documents that the person has accepted, and can accept.

use std::sync::Arc;

use svc_core::{AppId, Error, OrganizationId, Result, TermsId, Timestamp};
use svc_domain::people::intake::Intake;
use svc_domain::people::terms::{self, Acceptance, Given, Terms, Way};

use super::organizations;
use super::owner::Own;

/// The documents of the tenant and of the person's organizations, and what the person accepted.
pub struct Documents {
    intake: Arc<Intake>,
    organizations: Vec<OrganizationId>,
    now: Timestamp,
    /// What the person accepted, the latest last.
    pub accepted: Vec<Acceptance>,
}

impl Documents {
    /// Of each document the version that counts, and whether the person has accepted it, or an earlier one that is enough.
    pub fn current(&self) -> impl Iterator<Item = (&Terms, bool)> {
        let there = (self.organizations.as_slice(), self.now);
        let has_accepted = move |terms| self.intake.has_accepted(terms, &self.accepted, there);
        self.intake.current(there.0, there.1).into_iter().map(move |terms| (terms, has_accepted(terms)))
    }

    /// The versions that count and are not accepted themselves, whether or not an earlier one is enough.
    pub fn acceptable(&self) -> Vec<&Terms> {
        let is_accepted = |terms: &Terms| self.accepted.iter().any(|one| one.terms_id == terms.id);
        self.current().map(|(terms, _)| terms).filter(|terms| !is_accepted(terms)).collect()
    }
}

/// The documents of the tenant and of the person's organizations, and what the person accepted.
pub async fn documents(own: &Own) -> Result<Documents> {
    let intake = own.host.app.services.intakes.of(own.host.tenant.id).await?;
    let organizations = organizations::asking(own, &intake).await?;
    let accepted = terms::accepted(&mut own.host.read().await?, own.person.id).await?;
    Ok(Documents { intake, organizations, now: own.cx().now, accepted })
}

/// Accepts versions that count, for the person.
pub async fn accept(
    own: &Own,
    ids: &[TermsId],
    (language, application): (&str, Option<AppId>),
) -> Result<()> {
    own.person.must_be_known()?;
    let documents = documents(own).await?;
    let given = Given { language, at: Way::Account, application };
    let mut tx = own.host.begin().await?;
    for id in ids {
        let found = documents.current().map(|(terms, _)| terms).find(|terms| terms.id == *id);
        let terms =
            found.ok_or_else(|| Error::not_found("no version of a document that counts has this id"))?;
        terms::accept(&mut tx, own.cx(), (own.person.id, terms), given).await?;
    }
    tx.commit().await
}
