//! Impersonations of one tenant that operations name.

use svc_core::TenantUserId;
use svc_domain::people::impersonations::{self, NewImpersonation};
use svc_domain::people::tenant_users;
use svc_domain::tenancy::tenants::{self, Impersonation, NewTenant, TenantSettings};

use crate::harness::Site;

/// One that the person may begin, one that waits for the person's approval, and the person for whom the first is; the tenant lets
/// support staff act for people from now on.
pub async fn impersonations(site: &Site<'_>, person: TenantUserId) -> [String; 3] {
    enable(site).await;
    let other = site.user("helped").await;
    let (cx, mut tx) = (site.harness.operator(), site.harness.app().db.begin(site.tenant.id).await.unwrap());
    let person = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
    let helped = tenant_users::find(&mut tx, other.id).await.unwrap().unwrap();
    let mut ids = Vec::new();
    for (person, staff, needs_approval) in [(&helped, &person, false), (&person, &helped, true)] {
        let reason = "Ticket 1";
        let new = NewImpersonation { person, staff, app: None, reason, minutes: 15, needs_approval };
        ids.push(impersonations::ask(&mut tx, &cx, &new).await.unwrap().id.to_string());
    }
    tx.commit().await.unwrap();
    ids.push(other.id.to_string());
    ids.try_into().unwrap()
}

/// Lets support staff act for people of the tenant.
pub async fn enable(site: &Site<'_>) {
    let app = site.harness.app();
    let settings = TenantSettings {
        impersonation: Impersonation { enabled: true, ..Impersonation::default() },
        ..site.tenant.settings.clone()
    };
    let (slug, name) = (site.tenant.slug.clone(), site.tenant.name.clone());
    let new = NewTenant { slug, name, custom_domain: None, settings };
    let mut tx = app.db.begin_system().await.unwrap();
    tenants::update(&mut tx, &site.harness.operator(), site.tenant.id, &new).await.unwrap();
    tx.commit().await.unwrap();
    for app in site.harness.apps() {
        app.services.tenants.forget();
    }
}
