//! What is under way ends together with what allowed it, in the same transaction: codes, approvals, refresh families and
//! delegations. Codes and approvals come first: a redemption that holds one has made its family when the families' turn comes.

use svc_core::{AppId, Cx, OrganizationId, Result, SessionId, TenantId, TenantUserId};
use svc_db::{System, SystemSql, Tenant, TenantSql, Tx, args, quiet_sql, quiet_system_sql};

use crate::grants::delegations;
use crate::tokens::access_token::LONGEST_LIFETIME;
use crate::tokens::api_keys;
use crate::tokens::revocations::{self, Revoked};

const OF_SESSION: &[TenantSql] = &[
    quiet_sql!(
        "what ended it is recorded",
        "DELETE FROM codes WHERE tenant_id = $1 AND session_id = $2 AND state = 'live'"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "UPDATE device_codes SET state = 'denied' WHERE tenant_id = $1 AND session_id = $2 AND state = 'approved'"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "UPDATE ciba_requests SET state = 'denied' WHERE tenant_id = $1 AND session_id = $2 AND state = 'approved'"
    ),
];

const OF_PERSON: &[TenantSql] = &[
    quiet_sql!(
        "what ended it is recorded",
        "DELETE FROM codes WHERE tenant_id = $1 AND tenant_user_id = $2 AND state = 'live'"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "UPDATE device_codes SET state = 'denied' WHERE tenant_id = $1 AND tenant_user_id = $2 AND state = 'approved'"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "UPDATE ciba_requests SET state = 'denied' WHERE tenant_id = $1 AND tenant_user_id = $2 AND state = 'approved'"
    ),
];

const OF_APP: &[TenantSql] = &[
    quiet_sql!(
        "what ended it is recorded",
        "DELETE FROM codes WHERE tenant_id = $1 AND app_id = $2 AND state = 'live'"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "UPDATE device_codes SET state = 'denied' WHERE tenant_id = $1 AND app_id = $2 AND state = 'approved'"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "UPDATE ciba_requests SET state = 'denied' WHERE tenant_id = $1 AND app_id = $2 AND state = 'approved'"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "UPDATE refresh_families SET state = 'revoked' WHERE tenant_id = $1 AND app_id = $2 AND state = 'live'"
    ),
];

const OF_CONSENT: &[TenantSql] = &[
    quiet_sql!(
        "what ended it is recorded",
        "DELETE FROM codes WHERE tenant_id = $1 AND tenant_user_id = $2 AND app_id = $3 AND state = 'live'"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "UPDATE device_codes SET state = 'denied' WHERE tenant_id = $1 AND tenant_user_id = $2 AND app_id = $3 \
         AND state = 'approved'"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "UPDATE ciba_requests SET state = 'denied' WHERE tenant_id = $1 AND tenant_user_id = $2 AND app_id = $3 \
         AND state = 'approved'"
    ),
];

/// Of one member, or of all where there is none.
const OF_ORGANIZATION: &[TenantSql] = &[
    quiet_sql!(
        "what ended it is recorded",
        "DELETE FROM codes WHERE tenant_id = $1 AND organization_id = $2 \
         AND (CAST($3 AS TEXT) IS NULL OR tenant_user_id = $3) AND state = 'live'"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "UPDATE device_codes SET state = 'denied' WHERE tenant_id = $1 AND organization_id = $2 \
         AND (CAST($3 AS TEXT) IS NULL OR tenant_user_id = $3) AND state = 'approved'"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "UPDATE ciba_requests SET state = 'denied' WHERE tenant_id = $1 AND organization_id = $2 \
         AND (CAST($3 AS TEXT) IS NULL OR tenant_user_id = $3) AND state = 'approved'"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "UPDATE refresh_families SET state = 'revoked' WHERE tenant_id = $1 AND organization_id = $2 \
         AND (CAST($3 AS TEXT) IS NULL OR tenant_user_id = $3) AND state = 'live'"
    ),
];

/// Tokens name the person by the tenant's own subject, or by that of their application's sector.
const TOKENS_OF_MEMBER: &[TenantSql] = &[
    quiet_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'subject', subject || ' ' || CAST($2 AS TEXT), $4, $5 FROM tenant_users \
         WHERE tenant_id = $1 AND id = $3 ON CONFLICT (tenant_id, kind, value) \
         DO UPDATE SET revoked_at = excluded.revoked_at, expires_at = excluded.expires_at \
         WHERE revocations.revoked_at < excluded.revoked_at"
    ),
    quiet_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'subject', subject || ' ' || CAST($2 AS TEXT), $4, $5 FROM pairwise_subjects \
         WHERE tenant_id = $1 AND tenant_user_id = $3 ON CONFLICT (tenant_id, kind, value) \
         DO UPDATE SET revoked_at = excluded.revoked_at, expires_at = excluded.expires_at \
         WHERE revocations.revoked_at < excluded.revoked_at"
    ),
];

const OF_TENANT: &[SystemSql] = &[
    quiet_system_sql!(
        "what ended it is recorded",
        "DELETE FROM codes WHERE tenant_id = $1 AND state = 'live'"
    ),
    quiet_system_sql!(
        "what ended it is recorded",
        "UPDATE device_codes SET state = 'denied' WHERE tenant_id = $1 AND state = 'approved'"
    ),
    quiet_system_sql!(
        "what ended it is recorded",
        "UPDATE ciba_requests SET state = 'denied' WHERE tenant_id = $1 AND state = 'approved'"
    ),
    quiet_system_sql!(
        "what ended it is recorded",
        "UPDATE refresh_families SET state = 'revoked' WHERE tenant_id = $1 AND state = 'live'"
    ),
];

const OF_TENANT_AT: &[SystemSql] = &[
    quiet_system_sql!(
        "what ended it is recorded",
        "UPDATE delegations SET state = 'revoked', revoked_at = $2 WHERE tenant_id = $1 AND state = 'live'"
    ),
    quiet_system_sql!(
        "what ended it is recorded",
        "UPDATE sessions SET ended_at = $2 WHERE tenant_id = $1 AND ended_at IS NULL"
    ),
];

/// Tokens name their application by its id, or by the address of its document, which is its handle.
const TOKENS_OF_TENANT: &[SystemSql] = &[
    quiet_system_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'app', id, $2, $3 FROM apps WHERE tenant_id = $1 ON CONFLICT (tenant_id, kind, value) \
         DO UPDATE SET revoked_at = excluded.revoked_at, expires_at = excluded.expires_at \
         WHERE revocations.revoked_at < excluded.revoked_at"
    ),
    quiet_system_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'app', handle, $2, $3 FROM apps WHERE tenant_id = $1 AND handle LIKE 'https:%' \
         ON CONFLICT (tenant_id, kind, value) \
         DO UPDATE SET revoked_at = excluded.revoked_at, expires_at = excluded.expires_at \
         WHERE revocations.revoked_at < excluded.revoked_at"
    ),
];

/// Those that name a family or a session which has not ended.
const LATE_TOKENS_OF_TENANT: &[SystemSql] = &[
    quiet_system_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'family', id, $2, $3 FROM refresh_families WHERE tenant_id = $1 AND state = 'live' \
         ON CONFLICT (tenant_id, kind, value) DO NOTHING"
    ),
    quiet_system_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'session', id, $2, $3 FROM sessions WHERE tenant_id = $1 AND ended_at IS NULL \
         ON CONFLICT (tenant_id, kind, value) DO NOTHING"
    ),
];

const CARRY_OVER: &[TenantSql] = &[
    quiet_sql!(
        "goes with the session that takes its place",
        "UPDATE codes SET session_id = $3 WHERE tenant_id = $1 AND session_id = $2"
    ),
    quiet_sql!(
        "goes with the session that takes its place",
        "UPDATE device_codes SET session_id = $3 WHERE tenant_id = $1 AND session_id = $2"
    ),
    quiet_sql!(
        "goes with the session that takes its place",
        "UPDATE ciba_requests SET session_id = $3 WHERE tenant_id = $1 AND session_id = $2"
    ),
    quiet_sql!(
        "goes with the session that takes its place",
        "UPDATE delegations SET session_id = $3 WHERE tenant_id = $1 AND session_id = $2"
    ),
];

/// Ends what is under way in a session. Refresh families outlive a sign-out: `offline_access` asks for that.
pub(crate) async fn of_session(tx: &mut Tx<Tenant>, cx: &Cx, id: SessionId) -> Result<()> {
    for statement in OF_SESSION {
        tx.later(*statement, args![id]);
    }
    delegations::of_session(tx, cx, id).await
}

/// Ends the refresh families that began in a session of a person, or in one in whose place it is, with their access tokens: these name
/// no session where they outlive it.
pub(crate) fn families_of_session(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (person, session): (TenantUserId, SessionId),
) {
    let marks = quiet_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'family', id, $4, $5 FROM refresh_families WHERE tenant_id = $1 AND tenant_user_id = $2 \
         AND state = 'live' AND session_id IN (SELECT id FROM sessions WHERE tenant_id = $1 AND tenant_user_id = $2 \
         AND (id = $3 OR continued_as = $3)) ON CONFLICT (tenant_id, kind, value) DO NOTHING"
    );
    tx.later(marks, args![person, session, cx.now, revocations::horizon(cx.now)]);
    let families = quiet_sql!(
        "what ended it is recorded",
        "UPDATE refresh_families SET state = 'revoked' WHERE tenant_id = $1 AND tenant_user_id = $2 \
         AND session_id IN (SELECT id FROM sessions WHERE tenant_id = $1 AND tenant_user_id = $2 \
         AND (id = $3 OR continued_as = $3)) AND state = 'live'"
    );
    tx.later(families, args![person, session]);
}

/// Ends the access tokens that name a session of a person, or one in whose place it is: where the person has signed in once more, the
/// tokens of before name the earlier one.
pub(crate) fn tokens_of_session(tx: &mut Tx<Tenant>, cx: &Cx, (person, session): (TenantUserId, SessionId)) {
    revocations::revoke(tx, cx, &Revoked::Session(session));
    let earlier = quiet_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'session', id, $4, $5 FROM sessions WHERE tenant_id = $1 AND tenant_user_id = $2 \
         AND continued_as = $3 ON CONFLICT (tenant_id, kind, value) DO NOTHING"
    );
    tx.later(earlier, args![person, session, cx.now, revocations::horizon(cx.now)]);
}

/// Ends what is under way for a person, with every token that names a refresh family or a session of theirs: such a token
/// is dead whatever its time of issue, also one that a racing request stamps after the revocation.
pub(crate) async fn of_person(tx: &mut Tx<Tenant>, cx: &Cx, id: TenantUserId) -> Result<()> {
    for statement in OF_PERSON {
        tx.later(*statement, args![id]);
    }
    mark_tokens(tx, cx, id);
    let families = quiet_sql!(
        "what ended it is recorded",
        "UPDATE refresh_families SET state = 'revoked' WHERE tenant_id = $1 AND tenant_user_id = $2 AND state = 'live'"
    );
    tx.later(families, args![id]);
    delegations::of_person(tx, cx, id).await
}

/// Ends every token that names a live refresh family of the person, or a session in which they are, or went on from.
fn mark_tokens(tx: &mut Tx<Tenant>, cx: &Cx, id: TenantUserId) {
    let (until, since) = (revocations::horizon(cx.now), cx.now - LONGEST_LIFETIME);
    let of_families = quiet_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'family', id, $3, $4 FROM refresh_families WHERE tenant_id = $1 AND tenant_user_id = $2 \
         AND state = 'live' ON CONFLICT (tenant_id, kind, value) DO NOTHING"
    );
    tx.later(of_families, args![id, cx.now, until]);
    // Tokens of a session in whose place the person goes on have not ended with it.
    let of_sessions = quiet_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'session', id, $3, $4 FROM sessions WHERE tenant_id = $1 AND tenant_user_id = $2 \
         AND (ended_at IS NULL OR (continued_as IS NOT NULL AND ended_at > $5)) \
         ON CONFLICT (tenant_id, kind, value) DO NOTHING"
    );
    tx.later(of_sessions, args![id, cx.now, until, since]);
}

/// Ends what is under way for an application: enabling it again revives nothing.
pub(crate) async fn of_app(tx: &mut Tx<Tenant>, cx: &Cx, id: AppId, client_id: &str) -> Result<()> {
    for statement in OF_APP {
        tx.later(*statement, args![id]);
    }
    delegations::of_app(tx, cx, id, client_id).await
}

/// Ends what was begun for an application since it was disabled, with its tokens, before it is enabled again: by a request that had found
/// it enabled, as a node may for a moment longer.
pub(crate) async fn late_of_app(tx: &mut Tx<Tenant>, cx: &Cx, id: AppId, client_id: &str) -> Result<()> {
    let marks = quiet_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'family', id, $3, $4 FROM refresh_families WHERE tenant_id = $1 AND app_id = $2 \
         AND state = 'live' ON CONFLICT (tenant_id, kind, value) DO NOTHING"
    );
    tx.later(marks, args![id, cx.now, revocations::horizon(cx.now)]);
    of_app(tx, cx, id, client_id).await
}

/// Ends the codes and approvals that a person has given an application, and what it does for the person.
pub(crate) async fn of_consent(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: TenantUserId,
    (app, client_id): (AppId, &str),
) -> Result<()> {
    for statement in OF_CONSENT {
        tx.later(*statement, args![person, app]);
    }
    delegations::of_consent(tx, cx, person, (app, client_id)).await
}

/// Ends what a person has allowed in an organization, with every token of theirs there: they do not belong to it any more.
pub(crate) async fn of_membership(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, person): (OrganizationId, TenantUserId),
) -> Result<()> {
    for statement in OF_ORGANIZATION {
        tx.later(*statement, args![organization, Some(person)]);
    }
    for statement in TOKENS_OF_MEMBER {
        tx.later(*statement, args![organization, person, cx.now, revocations::horizon(cx.now)]);
    }
    delegations::of_organization(tx, cx, (organization, Some(person))).await
}

/// Ends what was allowed in an organization, with every token in it and every key of it, because no member may act there any more.
pub(crate) async fn of_organization(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization: OrganizationId,
) -> Result<()> {
    for statement in OF_ORGANIZATION {
        tx.later(*statement, args![organization, None::<TenantUserId>]);
    }
    revocations::revoke(tx, cx, &Revoked::Organization(organization));
    api_keys::end_of_organization(tx, cx, organization).await?;
    delegations::of_organization(tx, cx, (organization, None)).await
}

/// Ends what was begun in an organization since it was suspended, with its tokens, before it is active again: by a request that had found
/// it active.
pub(crate) async fn late_in_organization(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization: OrganizationId,
) -> Result<()> {
    let marks = quiet_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'family', id, $3, $4 FROM refresh_families WHERE tenant_id = $1 AND organization_id = $2 \
         AND state = 'live' ON CONFLICT (tenant_id, kind, value) DO NOTHING"
    );
    tx.later(marks, args![organization, cx.now, revocations::horizon(cx.now)]);
    for statement in OF_ORGANIZATION {
        tx.later(*statement, args![organization, None::<TenantUserId>]);
    }
    delegations::of_organization(tx, cx, (organization, None)).await
}

/// Ends everything that is under way at a tenant, with every session and token: reactivating it revives nothing.
pub(crate) async fn of_tenant(tx: &mut Tx<System>, cx: &Cx, id: TenantId) -> Result<()> {
    under_way_at_tenant(tx, cx, id).await?;
    for statement in TOKENS_OF_TENANT {
        tx.execute(*statement, args![id, cx.now, revocations::horizon(cx.now)]).await?;
    }
    Ok(())
}

/// Ends what was begun at a tenant since it was suspended, before it answers again: by a request that had found it active, as a node may
/// for a moment longer. Tokens of applications themselves are not among it.
pub(crate) async fn late_at_tenant(tx: &mut Tx<System>, cx: &Cx, id: TenantId) -> Result<()> {
    for statement in LATE_TOKENS_OF_TENANT {
        tx.execute(*statement, args![id, cx.now, revocations::horizon(cx.now)]).await?;
    }
    under_way_at_tenant(tx, cx, id).await
}

async fn under_way_at_tenant(tx: &mut Tx<System>, cx: &Cx, id: TenantId) -> Result<()> {
    for statement in OF_TENANT {
        tx.execute(*statement, args![id]).await?;
    }
    for statement in OF_TENANT_AT {
        tx.execute(*statement, args![id, cx.now]).await?;
    }
    Ok(())
}

/// What is under way in a session goes on in the one that takes its place.
pub(crate) fn carry_over(tx: &mut Tx<Tenant>, from: SessionId, to: SessionId) {
    for statement in CARRY_OVER {
        tx.later(*statement, args![from, to]);
    }
}
