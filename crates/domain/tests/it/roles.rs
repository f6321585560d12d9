//! A role permits scopes of APIs that are there.

use serde_json::json;
use svc_config::Config;
use svc_core::{Class, Error};
use svc_domain::apis;
use svc_domain::apis::roles::{self, Configuration, Permission};
use svc_domain::tenancy::tenants::Tenants;

use crate::world::{World, meanwhile};

const NOTES: &str = "https://notes.example";

#[tokio::test(flavor = "multi_thread")]
async fn an_api_is_not_deleted_at_the_moment_in_which_a_role_is_given_its_scopes() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let whole = Tenants::new(world.db.clone(), &Config::default()).unwrap().by_id(tenant).await.unwrap();
    let wanted = json!({ "name": "Notes", "scopes": [{ "name": "notes:read" }] });
    let wanted = serde_json::from_value(wanted).unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    let api = apis::create(&mut tx, &world.cx, NOTES, &wanted).await.unwrap();
    assert!(apis::update(&mut tx, &world.cx, &api, &wanted, false).await.unwrap());
    let api = apis::find(&mut tx, &whole, api.id).await.unwrap().unwrap();
    let none = Configuration::default();
    let role = roles::create(&mut tx, &world.cx, &whole, ("reader", &none)).await.unwrap();
    tx.commit().await.unwrap();

    let permission = Permission { api: NOTES.to_owned(), scopes: vec!["notes:read".to_owned()] };
    let reads = Configuration { permissions: vec![permission], ..none };
    let mut tx = world.db.begin(tenant).await.unwrap();
    assert!(roles::update(&mut tx, &world.cx, &whole, (&role, &reads)).await.unwrap());
    let (db, cx) = (world.db.clone(), world.cx.clone());
    let deletion = async move {
        let mut tx = db.begin(tenant).await?;
        apis::delete(&mut tx, &cx, &api).await?;
        tx.commit().await
    };
    let refused = meanwhile(&world.db, tx, deletion).await;
    assert_eq!(refused.as_ref().map_err(Error::class), Err(Class::Conflict), "{refused:?}");
}
