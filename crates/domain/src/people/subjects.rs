//! Pairwise subjects (OpenID Connect Core §8.1): a person has another name in each sector of third-party applications.
//!
//! Stored rather than derived, so that they survive the loss of keys, export and import.

use svc_core::{Cx, Result, TenantUserId};
use svc_db::{Tenant, Tx, args, quiet_sql, sql};

use crate::apps::App;
use crate::people::tenant_users::Person;

/// The `sub` of `person` for `app`; a pairwise one is made with its first use.
pub async fn of(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, app: &App) -> Result<String> {
    let Some(sector) = app.sector() else { return Ok(person.subject.clone()) };
    if let Some(known) = stored(tx, person.id, &sector).await? {
        return Ok(known);
    }
    let insert = quiet_sql!(
        "made with its first use; the token that carries it is recorded",
        "INSERT INTO pairwise_subjects (tenant_id, tenant_user_id, sector, subject) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (tenant_id, tenant_user_id, sector) DO NOTHING"
    );
    let made = svc_keys::random::token(&*cx.entropy);
    tx.execute(insert, args![person.id, &sector, &made]).await?;
    // Another request may have been quicker; its subject is the one that counts.
    Ok(stored(tx, person.id, &sector).await?.unwrap_or(made))
}

/// The `sub` of `person` for `app`, as far as the application has ever been told one.
pub async fn find(tx: &mut Tx<Tenant>, person: &Person, app: &App) -> Result<Option<String>> {
    match app.sector() {
        None => Ok(Some(person.subject.clone())),
        Some(sector) => stored(tx, person.id, &sector).await,
    }
}

/// Whether `subject` names this person, to whomever.
pub async fn names(tx: &mut Tx<Tenant>, person: &Person, subject: &str) -> Result<bool> {
    Ok(person.subject == subject || owner(tx, subject).await? == Some(person.id))
}

/// Every pairwise subject of a membership.
async fn pairwise(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<Vec<String>> {
    let select = sql!("SELECT subject FROM pairwise_subjects WHERE tenant_id = $1 AND tenant_user_id = $2");
    tx.all(select, args![person]).await?.iter().map(|row| row.text("subject")).collect()
}

/// Every subject of a membership: the pairwise ones, and that of the tenant's own applications.
pub(crate) async fn every(tx: &mut Tx<Tenant>, person: &Person) -> Result<Vec<String>> {
    Ok(pairwise(tx, person.id).await?.into_iter().chain([person.subject.clone()]).collect())
}

/// The membership behind a pairwise subject.
pub(crate) async fn owner(tx: &mut Tx<Tenant>, subject: &str) -> Result<Option<TenantUserId>> {
    let select = sql!("SELECT tenant_user_id FROM pairwise_subjects WHERE tenant_id = $1 AND subject = $2");
    tx.optional(select, args![subject]).await?.map(|row| row.parse("tenant_user_id")).transpose()
}

async fn stored(tx: &mut Tx<Tenant>, person: TenantUserId, sector: &str) -> Result<Option<String>> {
    let select = sql!(
        "SELECT subject FROM pairwise_subjects WHERE tenant_id = $1 AND tenant_user_id = $2 AND sector = $3"
    );
    tx.optional(select, args![person, sector]).await?.map(|row| row.text("subject")).transpose()
}
