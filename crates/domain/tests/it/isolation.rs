//! A row cannot point into another tenant, and a transaction sees its own tenant's rows only.

use svc_core::Class;
use svc_db::Engine;
use svc_domain::apps;
use svc_domain::grants::consents;
use svc_domain::log::search::{self, Filter};
use svc_domain::people::tenant_users;

use crate::world::World;

#[tokio::test]
async fn another_tenants_id_is_an_unknown_id() {
    let world = World::new().await;
    let (acme, other) = (world.tenant("acme").await, world.tenant("other").await);
    let (person, app) = (world.person(acme, "ada").await, world.app(acme, "web").await);
    let mut tx = world.db.begin(other).await.unwrap();
    assert!(apps::find(&mut tx, app.id).await.unwrap().is_none());
    assert!(tenant_users::find(&mut tx, person.id).await.unwrap().is_none());
    assert!(tenant_users::find_by_identifier(&mut tx, "ada@example.com").await.unwrap().is_none());
    assert_eq!(apps::delete(&mut tx, &world.cx, app.id).await.unwrap_err().class(), Class::NotFound);
    let log = search::search(&mut tx, &Filter::default(), (None, 50)).await.unwrap().entries;
    assert_eq!(log.iter().map(|entry| entry.action.as_str()).collect::<Vec<_>>(), ["tenant.created"]);
}

#[tokio::test]
async fn a_consent_cannot_name_another_tenants_person_or_application() {
    let world = World::new().await;
    let (acme, other) = (world.tenant("acme").await, world.tenant("other").await);
    let (person, app) = (world.person(acme, "ada").await, world.app(acme, "web").await);
    let mut tx = world.db.begin(other).await.unwrap();
    let scope = "openid".parse().unwrap();
    let refused =
        consents::grant(&mut tx, &world.cx, person.id, app.id, ("https://api.example", &scope)).await;
    assert_eq!(refused.unwrap_err().class(), Class::Conflict);
}

#[tokio::test]
async fn row_level_security_hides_other_tenants_even_from_a_statement_without_tenant() {
    let world = World::new().await;
    if world.db.engine() == Engine::Sqlite {
        return;
    }
    let (acme, other) = (world.tenant("acme").await, world.tenant("other").await);
    world.app(acme, "web").await;
    let count = "SELECT count(*) AS visible FROM apps";
    assert_eq!(world.db.count_as(acme, count).await.unwrap(), 1);
    assert_eq!(world.db.count_as(other, count).await.unwrap(), 0);
}
