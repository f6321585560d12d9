//! The page behind the link with which a staff member begins to act for a person. Opening it changes nothing; its button spends the
//! link, in the browser of the session that the link was made for.

use svc_core::{Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::Level;
use svc_domain::people::impersonations::{self, Browser, Impersonation};
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::{self, Person};
use svc_http::{IntoResponse as _, Params, Response, StatusCode, see_other};
use svc_keys::{digest, token};

use super::super::purpose::{Purpose, wrong_form};
use super::letters;
use crate::hosted::paths::{IMPERSONATION, START};
use crate::hosted::{ActingCookie, Visit};
use crate::pages::{Done, Form, Impersonate, Outcome};
use crate::signin::{account_of, current, may_act};

/// What a link leads to.
struct Opened {
    ready: Impersonation,
    person: Person,
    staff: Session,
}

pub(super) async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    let secret = query.one("token").unwrap_or_default();
    let opened = opened(visit, &mut visit.host.read().await?, secret).await?;
    let Some(Opened { ready, person, staff }) = opened else { return dead(visit) };
    visit.speak_as(&staff.person)?;
    let page = Impersonate {
        form: Form::new(IMPERSONATION, visit.seal(&Purpose::Impersonate(secret.to_owned()))?),
        account: account_of(&person).into(),
        staff: account_of(&staff.person).into(),
        reason: ready.reason.into(),
        minutes: i64::from(ready.minutes),
    };
    visit.page(&page)
}

pub(super) async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    let Purpose::Impersonate(secret) = visit.open(form.one("flow"))? else { return Err(wrong_form()) };
    let mut tx = visit.host.begin().await?;
    let Some(Opened { ready, person, staff }) = opened(visit, &mut tx, &secret).await? else {
        tx.rollback().await?;
        return dead(visit);
    };
    let cx = visit.cx().acting_as(staff.person.actor());
    let secret = token(&*cx.entropy);
    let browser = Browser { digest: digest(&secret), user_agent: &visit.user_agent };
    let session = impersonations::begin(&mut tx, &cx, &ready, (&person, &staff.person), browser).await?;
    let acting = session.authentication.acting.as_ref();
    let ends_at = acting.map(|acting| acting.ends_at).ok_or_else(|| Error::internal("no one acts"))?;
    letters::tell(visit, &mut tx, (&person, &staff.person), ends_at)?;
    tx.commit().await?;
    let acting = ActingCookie::new(secret, account_of(&person), ends_at);
    let cookie =
        visit.browser.acting_cookie(&visit.seal_for_cookie(&acting)?, acting.ends_at() - visit.cx().now)?;
    Ok((cookie, see_other(START)).into_response())
}

/// What the link leads to, if it works for the session of this browser; while a staff member acts already, nothing begins.
async fn opened(visit: &Visit, tx: &mut Tx<Tenant>, secret: &str) -> Result<Option<Opened>> {
    let Some(staff) = current(visit, tx).await? else { return Ok(None) };
    let ready = impersonations::behind_link(tx, visit.cx(), (digest(secret), staff.id)).await?;
    let ready = ready.filter(|ready| ready.staff == staff.person.id);
    let Some(ready) = ready.and_then(|ready| permitted(visit, &staff, ready)) else { return Ok(None) };
    if !may_act(visit, tx, &staff.person).await? {
        return Ok(None);
    }
    let person = tenant_users::find(tx, ready.person).await?;
    Ok(person.map(|person| Opened { ready, person, staff }))
}

/// The impersonation as the present rules of the tenant let it begin; nothing where they have become stricter than it meets.
fn permitted(visit: &Visit, staff: &Session, ready: Impersonation) -> Option<Impersonation> {
    let (settings, config) = (&visit.host.tenant.settings, visit.config());
    let rules = &settings.impersonation;
    let needs_factor = settings.wants_factor_of_staff(config);
    let is_strong = !needs_factor || Level::of(&staff.authentication.acr) >= Some(Level::Aal2);
    let minutes = ready.minutes.min(rules.longest(config));
    (is_strong && ready.has_approval(rules)).then_some(Impersonation { minutes, ..ready })
}

/// The same page for a link that is spent, too old, not permitted any more, or open in a browser for which it was not made: it tells
/// nothing of it.
fn dead(visit: &Visit) -> Result<Response> {
    let page = Done { outcome: Outcome::ImpersonationLinkDead, continue_url: START.into() };
    visit.page_as(StatusCode::BAD_REQUEST, &page, None)
}
