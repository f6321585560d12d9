//! A person whom a directory provisions: what it costs, what is recorded, and how many there may be.

use serde_json::json;
use svc_core::{Class, TenantId};
use svc_domain::claims::profile::Profile;
use svc_domain::organizations::{self, Organization};
use svc_domain::people::tenant_users;
use svc_domain::scim::users::{self, Content};

use crate::world::{World, meanwhile};

/// An organization whose owner is its only member.
async fn initech(world: &World, tenant: TenantId) -> Organization {
    let ada = world.person(tenant, "ada").await;
    let configuration = serde_json::from_value(json!({ "name": "Initech" })).unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    let new = organizations::New { slug: "initech", owner: &ada, configuration: &configuration };
    let made = organizations::create(&mut tx, &world.cx, new).await.unwrap();
    tx.commit().await.unwrap();
    made
}

fn called(name: &str, active: bool) -> Content {
    let email = format!("{name}@initech.example");
    let document =
        json!({ "userName": name, "active": active, "urn:example:desk": { "height": 0.1, "floor": 7 } });
    Content {
        user_name: name.to_owned(),
        external_id: Some(format!("of-{name}")),
        email: Some(email.clone()),
        emails: vec![email],
        active,
        profile: Profile::default(),
        document: document.as_object().cloned().unwrap(),
        extensions: Vec::new(),
    }
}

#[tokio::test]
async fn who_is_provisioned_costs_three_flights() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let organization = initech(&world, tenant).await;
    let before = world.db.counts();
    let mut tx = world.db.begin(tenant).await.unwrap();
    users::create(&mut tx, &world.cx, (organization.id, 9), &called("grace", true)).await.unwrap();
    tx.commit().await.unwrap();
    let after = world.db.counts();
    assert_eq!((after.flights - before.flights, after.commits - before.commits), (3, 1));
}

#[tokio::test]
async fn an_address_that_a_directory_says_again_is_neither_looked_for_nor_written_again() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let organization = initech(&world, tenant).await.id;
    let said = |name: &str, email: &str| {
        let mut said = called("grace", true);
        said.document.insert("displayName".to_owned(), json!(name));
        said.document.insert("emails".to_owned(), json!([{ "value": email }]));
        said.profile.name = Some(name.to_owned());
        (said.email, said.emails) = (Some(email.to_owned()), vec![email.to_owned()]);
        said
    };
    let (first, second) = ("grace@initech.example", "hopper@initech.example");
    let mut tx = world.db.begin(tenant).await.unwrap();
    let id = users::create(&mut tx, &world.cx, (organization, 9), &said("Grace", first)).await.unwrap().id;
    tx.commit().await.unwrap();
    let change = async |said: Content| {
        let mut tx = world.db.begin(tenant).await.unwrap();
        let present = users::find(&mut tx, organization, id).await.unwrap().unwrap();
        let before = world.db.counts().flights;
        assert!(users::update(&mut tx, &world.cx, (organization, &present), &said).await.unwrap());
        tx.commit().await.unwrap();
        world.db.counts().flights - before
    };
    let again = change(said("Grace Hopper", first)).await;
    let another = change(said("Grace Brewster Hopper", second)).await;
    assert_eq!(another, again + 2);
    let mut tx = world.db.read(tenant).await.unwrap();
    let by_first = users::find_by_email(&mut tx, organization, (first, 9)).await.unwrap();
    let by_second = users::find_by_email(&mut tx, organization, (second, 9)).await.unwrap();
    assert_eq!((by_first.len(), by_second.len()), (0, 1));
    let person = tenant_users::find(&mut tx, id).await.unwrap().unwrap();
    assert_eq!(person.email.as_deref(), Some(second));
}

#[tokio::test]
async fn what_is_told_of_who_was_provisioned_is_what_is_read_of_them() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let organization = initech(&world, tenant).await;
    for (name, active) in [("grace", true), ("alan", false)] {
        let mut tx = world.db.begin(tenant).await.unwrap();
        let made =
            users::create(&mut tx, &world.cx, (organization.id, 9), &called(name, active)).await.unwrap();
        tx.commit().await.unwrap();
        let mut tx = world.db.read(tenant).await.unwrap();
        let read = users::find(&mut tx, organization.id, made.id).await.unwrap().unwrap();
        assert_eq!(format!("{made:?}"), format!("{read:?}"));
        assert_eq!(read.document, called(name, active).document);
    }
}

#[tokio::test]
async fn who_is_provisioned_at_the_same_time_as_the_last_for_whom_there_is_room_is_refused() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let organization = initech(&world, tenant).await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    users::create(&mut tx, &world.cx, (organization.id, 2), &called("grace", true)).await.unwrap();
    let provisioning = async {
        let mut tx = world.db.begin(tenant).await?;
        users::create(&mut tx, &world.cx, (organization.id, 2), &called("alan", true)).await?;
        tx.commit().await
    };
    let refused = meanwhile(&world.db, tx, provisioning).await.unwrap_err();
    let full = "the organization has 2 members (organizations.max_members)";
    assert_eq!((refused.class(), refused.detail(), refused.word()), (Class::Conflict, full, None));
}
