//! Mails about what becomes of memberships, written when they are sent: what changes memberships has no pages.

use svc_core::{Cx, Result, TenantId};
use svc_domain::delivery::mails::{LostGuardian, NewMail};
use svc_domain::people::tenant_users;
use svc_http::{App, Notices};

use super::written::Sender;
use crate::hosted::paths::OWN_GUARDIANS;
use crate::pages::{Mail, Topic};

/// What the queue of mails has written.
pub const NOTICES: Notices =
    Notices { lost_guardian: |app, cx, of_tenant| Box::pin(lost_guardian(app, cx, of_tenant)) };

/// Tells the owner of an account that one of their guardians is none any more. Nothing where recovery by guardians is not offered by
/// now, or the owner has left, or has no address.
async fn lost_guardian(
    app: &App,
    cx: &Cx,
    (tenant, lost): (TenantId, &LostGuardian),
) -> Result<Option<NewMail>> {
    let Some(tenant) = app.services.tenants.find(tenant).await? else { return Ok(None) };
    if !tenant.settings.social_recovery.is_offered(&app.config) {
        return Ok(None);
    }
    let owner = tenant_users::find(&mut app.db.read(tenant.id).await?, lost.owner).await?;
    let Some(owner) = owner else { return Ok(None) };
    let Some(to) = owner.email.as_deref() else { return Ok(None) };
    let url = format!("{}{OWN_GUARDIANS}", tenant.issuer);
    let (topic, name) = (Topic::GuardianLeft, owner.profile.name.as_deref());
    let mail = Mail { topic, name, organization: Some(&lost.guardian), url: &url, code: None, time: None };
    let sender = Sender { app, tenant: &tenant, cx, look: None };
    sender.written((to, owner.profile.locale.as_deref()), &mail).map(Some)
}
