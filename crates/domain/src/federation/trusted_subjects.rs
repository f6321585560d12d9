//! Which of the tenant's people the subjects of a trusted issuer are (RFC 7523 §3): by an exact link, and by nothing else. The
//! subjects of an organization's issuer are members of that organization, and the link ends with the membership.

use serde_json::json;
use svc_core::{Cx, Error, Result, TenantUserId};
use svc_db::{Tenant, Tx, args, change_sql, sql};

use super::trusted_issuers::{TrustedIssuer, meaning};
use crate::grants::delegations;
use crate::log::{Action, change};

/// Says that the issuer's `subject` is this person; one subject for each person and issuer, and what was granted to a former one ends.
/// `not_found` where the issuer belongs to an organization of which the person is no member.
pub async fn link(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    issuer: &TrustedIssuer,
    (person, subject): (TenantUserId, &str),
) -> Result<()> {
    if !(1..=255).contains(&subject.len()) || subject.chars().any(char::is_control) {
        return Err(Error::bad_request("subject: use 1 to 255 bytes without control characters"));
    }
    let is_linked = linked(tx, issuer, subject).await? == Some(person);
    let meaning = meaning(Action::TrustedIssuerLinked, issuer).and("tenant_user_id", json!(person));
    let linked = match issuer.organization_id {
        None => {
            let upsert = change_sql!(
                "INSERT INTO trusted_subjects (tenant_id, issuer_id, tenant_user_id, subject, created_at) \
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant_id, issuer_id, tenant_user_id) \
                 DO UPDATE SET subject = excluded.subject, created_at = excluded.created_at"
            );
            change(tx, cx, upsert, args![issuer.id, person, subject, cx.now], meaning).await
        }
        Some(organization) => {
            let upsert = change_sql!(
                "INSERT INTO organization_subjects (tenant_id, organization_id, issuer_id, tenant_user_id, subject, created_at) \
                 SELECT tenant_id, organization_id, CAST($2 AS TEXT), tenant_user_id, CAST($4 AS TEXT), CAST($5 AS BIGINT) \
                 FROM organization_members WHERE tenant_id = $1 AND organization_id = $6 AND tenant_user_id = $3 \
                 ON CONFLICT (tenant_id, issuer_id, tenant_user_id) \
                 DO UPDATE SET subject = excluded.subject, created_at = excluded.created_at"
            );
            change(tx, cx, upsert, args![issuer.id, person, subject, cx.now, organization], meaning).await
        }
    };
    match linked
        .map_err(|error| error.if_taken("subject: the issuer's subject is linked to another person"))?
    {
        0 => Err(Error::unknown_id()),
        _ if is_linked => Ok(()),
        _ => delegations::of_issuer(tx, cx, &issuer.issuer, Some(person)).await,
    }
}

/// Takes the link of a person back, with what was granted on the issuer's word about them.
pub async fn unlink(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    issuer: &TrustedIssuer,
    person: TenantUserId,
) -> Result<()> {
    let delete = if issuer.organization_id.is_none() {
        change_sql!(
            "DELETE FROM trusted_subjects WHERE tenant_id = $1 AND issuer_id = $2 AND tenant_user_id = $3"
        )
    } else {
        change_sql!(
            "DELETE FROM organization_subjects WHERE tenant_id = $1 AND issuer_id = $2 AND tenant_user_id = $3"
        )
    };
    let meaning = meaning(Action::TrustedIssuerUnlinked, issuer).and("tenant_user_id", json!(person));
    if change(tx, cx, delete, args![issuer.id, person], meaning).await? == 0 {
        return Err(Error::unknown_id());
    }
    delegations::of_issuer(tx, cx, &issuer.issuer, Some(person)).await
}

/// The person that the issuer's `subject` is.
pub async fn linked(
    tx: &mut Tx<Tenant>,
    issuer: &TrustedIssuer,
    subject: &str,
) -> Result<Option<TenantUserId>> {
    let select = if issuer.organization_id.is_none() {
        sql!(
            "SELECT tenant_user_id FROM trusted_subjects WHERE tenant_id = $1 AND issuer_id = $2 AND subject = $3"
        )
    } else {
        sql!(
            "SELECT tenant_user_id FROM organization_subjects WHERE tenant_id = $1 AND issuer_id = $2 AND subject = $3"
        )
    };
    tx.optional(select, args![issuer.id, subject]).await?.map(|row| row.parse("tenant_user_id")).transpose()
}
