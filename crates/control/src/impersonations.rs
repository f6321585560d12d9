//! `/api/v1/impersonations`: support staff who act for people, where the tenant allows it (`impersonation` of its settings).
//!
//! Who starts one signs in for it, with a second factor where the tenant wants that, and gains nothing: the person has no role that
//! the staff member does not have. The scope `privileges:grant` changes nothing about this.

use serde::{Deserialize, Serialize};
use svc_core::{AppId, Error, ImpersonationId, Result, SessionId, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::apps;
use svc_domain::claims::assurance::Level;
use svc_domain::people::impersonations::{self, LINK, NewImpersonation, Page, State, check_reason};
use svc_domain::people::sessions;
use svc_domain::people::tenant_users::{self as people, Person};
use svc_http::{Created, Json, Letters, List, Listing, NoContent, Path, Problem, TenantCx, Versioned};
use svc_keys::{digest, token};
use utoipa::{IntoParams, ToSchema};

use crate::resource::Resource;
use crate::{managed, tenant_users, unknown, unknown_at};

/// Where the link leads.
const BEGIN: &str = "/auth/impersonation";

/// A staff member who acts, or wants to act, for a person.
#[derive(Debug, Serialize, ToSchema)]
struct Impersonation {
    #[schema(value_type = String)]
    id: ImpersonationId,
    /// The person.
    #[schema(value_type = String)]
    tenant_user_id: TenantUserId,
    /// The staff member.
    #[schema(value_type = String)]
    staff_id: TenantUserId,
    /// The one application that it is for; null where it is for every application of the tenant's own.
    #[schema(value_type = Option<String>)]
    application_id: Option<AppId>,
    /// Why, in the words of the staff member; the person reads it.
    reason: String,
    /// How many minutes it lasts.
    minutes: u32,
    state: State,
    /// The session in which the staff member acts: the `sid` of its tokens.
    #[schema(value_type = Option<String>)]
    session_id: Option<SessionId>,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    /// When the person approved or refused.
    #[schema(value_type = Option<String>, format = "date-time")]
    decided_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = "date-time")]
    started_at: Option<Timestamp>,
    /// When it was ended before its time.
    #[schema(value_type = Option<String>, format = "date-time")]
    ended_at: Option<Timestamp>,
    /// Until when it can be approved, or begun; once it has begun, when it ends.
    #[schema(value_type = String, format = "date-time")]
    expires_at: Timestamp,
}

/// A request to act for a person.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({
    "tenant_user_id": "usr_01K5TZ6E4Q8R2V9W3X7Y1Z5A0B", "reason": "Ticket 4711: the export stays empty", "minutes": 15
})))]
struct NewSupport {
    /// The person.
    #[schema(value_type = String)]
    tenant_user_id: TenantUserId,
    /// Why; the person reads it.
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
    /// The one application of the tenant's own that it is for; every one unless given.
    #[schema(value_type = Option<String>, nullable = false)]
    application_id: Option<AppId>,
    /// How many minutes it lasts; as many as the tenant allows unless given.
    #[schema(nullable = false, minimum = 1, maximum = 60)]
    minutes: Option<u32>,
}

/// A link that begins it, once, in the browser in which the staff member is signed in.
#[derive(Debug, Serialize, ToSchema)]
struct ImpersonationLink {
    /// Where the staff member's browser goes.
    #[schema(format = "uri")]
    url: String,
    #[schema(value_type = String, format = "date-time")]
    expires_at: Timestamp,
}

#[derive(Debug, Deserialize, IntoParams)]
struct Filter {
    /// Only those for this person.
    #[param(value_type = Option<String>, nullable = false)]
    tenant_user_id: Option<TenantUserId>,
    /// Only those of this staff member.
    #[param(value_type = Option<String>, nullable = false)]
    staff_id: Option<TenantUserId>,
    /// Only those in this state.
    #[param(inline, nullable = false)]
    state: Option<State>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("impersonations", "Impersonation")
        .may_read("See when support staff acted for people")
        .may_write("Act for people who need support")
        .get("", "List impersonations, newest first", list)
        .post_recently("", "Request to act for a person", create)
        .get("{id}", "Read an impersonation", read)
        .post_recently(
            "{id}/link",
            "Make the link that starts an impersonation; earlier links stop working",
            link,
        )
        .post("{id}/end", "End an impersonation with its session and tokens", end)
}

async fn list(
    caller: TenantCx,
    Listing { filter, page }: Listing<ImpersonationId, Filter>,
) -> Result<Json<List<Impersonation>>, Problem> {
    let filter =
        impersonations::Filter { person: filter.tenant_user_id, staff: filter.staff_id, state: filter.state };
    let asked = Page { cursor: page.after, limit: page.fetch() };
    let found = impersonations::list(&mut caller.read().await?, caller.now, &filter, &asked).await?;
    let shown = found.into_iter().map(Impersonation::from).collect();
    Ok(Json(caller.page(shown, page.limit, |one: &Impersonation| one.id)?))
}

async fn read(
    caller: TenantCx,
    Path(id): Path<ImpersonationId>,
) -> Result<Versioned<Impersonation>, Problem> {
    let found = find(&caller, &mut caller.read().await?, id).await?;
    let changes = [found.decided_at, found.started_at, found.ended_at];
    let version = changes.into_iter().flatten().max().unwrap_or(found.created_at).as_micros();
    Ok(Versioned { version, record: found.into() })
}

async fn create(caller: TenantCx, Json(wanted): Json<NewSupport>) -> Result<Created<Impersonation>, Problem> {
    check_strength(&caller)?;
    check_reason(&wanted.reason)?;
    let minutes = minutes(&caller, wanted.minutes)?;
    let settings = &caller.tenant.settings.impersonation;
    let person = people::find(&mut caller.read().await?, wanted.tenant_user_id).await?;
    let person = person.ok_or_else(|| unknown_at("tenant_user_id"))?;
    if settings.approval_required {
        managed::count_mail(&caller, person.email.as_deref().unwrap_or_default()).await?;
    }
    let mut tx = caller.begin().await?;
    let (staff, _) = staff(&caller, &mut tx).await?;
    let person = tenant_users::find(&mut tx, person.id).await?;
    if let Some(app) = wanted.application_id {
        let app = apps::find(&mut tx, app).await?.filter(|app| app.enabled && app.configuration.first_party);
        app.ok_or_else(|| Error::bad_request("application_id: name an application of the tenant's own"))?;
    }
    let new = NewImpersonation {
        person: &person,
        staff: &staff,
        app: wanted.application_id,
        reason: wanted.reason.trim(),
        minutes,
        needs_approval: settings.approval_required,
    };
    let asked = impersonations::ask(&mut tx, &caller, &new).await?;
    if settings.approval_required {
        (caller.app.part::<Letters>()?.impersonation)(&caller, &mut tx, &person, &staff).await?;
    }
    tx.commit().await?;
    let (location, version) = (format!("{}/{}", caller.route, asked.id), asked.created_at.as_micros());
    Ok(Created { location, version, record: asked.into() })
}

async fn link(caller: TenantCx, Path(id): Path<ImpersonationId>) -> Result<Json<ImpersonationLink>, Problem> {
    check_strength(&caller)?;
    let mut tx = caller.begin().await?;
    let asked = find(&caller, &mut tx, id).await?;
    let (staff, session) = staff(&caller, &mut tx).await?;
    if asked.staff != staff.id {
        return Err(
            Error::forbidden("only the staff member who asked for the impersonation can begin it").into()
        );
    }
    if asked.state == State::Ready && !asked.has_approval(&caller.tenant.settings.impersonation) {
        return Err(Error::conflict("the person has to approve by now; ask again").into());
    }
    let secret = token(&*caller.entropy);
    impersonations::link(&mut tx, &caller, &asked, (session, digest(&secret))).await?;
    tx.commit().await?;
    let url = format!("{}{BEGIN}?token={secret}", caller.tenant.issuer);
    Ok(Json(ImpersonationLink { url, expires_at: caller.now + LINK }))
}

async fn end(caller: TenantCx, Path(id): Path<ImpersonationId>) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let found = find(&caller, &mut tx, id).await?;
    impersonations::end(&mut tx, &caller, &found).await?;
    tx.commit().await?;
    Ok(NoContent)
}

/// The staff member who calls, and their session: the session that acts for a person ends with it.
async fn staff(caller: &TenantCx, tx: &mut Tx<Tenant>) -> Result<(Person, SessionId)> {
    let session = caller.claims.sid.as_deref().and_then(|sid| sid.parse().ok());
    let session = session.ok_or_else(|| {
        Error::forbidden("only a token of a session starts this: sign in, without the scope offline_access")
    })?;
    let session = sessions::present(tx, session).await?;
    let staff = people::find_by_subject(tx, &caller.claims.sub).await?;
    Ok((staff.ok_or_else(unknown)?, session))
}

/// Refuses a staff member who has not signed in as strongly as the tenant wants.
fn check_strength(caller: &TenantCx) -> Result<()> {
    let is_needed = caller.tenant.settings.wants_factor_of_staff(&caller.app.config);
    let reached = caller.claims.acr.as_deref().and_then(Level::of);
    if is_needed && reached < Some(Level::Aal2) {
        return Err(Error::forbidden(format!(
            "sign in with a second factor to act for people (acr_values={})",
            Level::Aal2.acr()
        )));
    }
    Ok(())
}

fn minutes(caller: &TenantCx, wanted: Option<u32>) -> Result<u32> {
    let longest = caller.tenant.settings.impersonation.longest(&caller.app.config);
    match wanted {
        None => Ok(longest),
        Some(minutes) if (1..=longest).contains(&minutes) => Ok(minutes),
        Some(_) => Err(Error::bad_request(format!("minutes: use 1 to {longest}"))),
    }
}

async fn find(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    id: ImpersonationId,
) -> Result<impersonations::Impersonation> {
    impersonations::find(tx, id, caller.now).await?.ok_or_else(unknown)
}

impl From<impersonations::Impersonation> for Impersonation {
    fn from(found: impersonations::Impersonation) -> Self {
        Self {
            id: found.id,
            tenant_user_id: found.person,
            staff_id: found.staff,
            application_id: found.app,
            reason: found.reason,
            minutes: found.minutes,
            state: found.state,
            session_id: found.session,
            created_at: found.created_at,
            decided_at: found.decided_at,
            started_at: found.started_at,
            ended_at: found.ended_at,
            expires_at: found.expires_at,
        }
    }
}
