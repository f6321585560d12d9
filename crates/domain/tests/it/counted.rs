//! Where one more is the last that fits, two transactions at once do not both add one.

use serde_json::json;
use svc_core::{Class, CredentialId, Cx, Error, Result, TenantId};
use svc_db::{Db, Tenant, Tx};
use svc_domain::people::credentials::identities::{self, Identity};
use svc_domain::people::credentials::{self, Kind, MOST_OF_A_KIND, NewCredential, Owner};
use svc_domain::people::groups::{self, Group};
use svc_domain::people::tenant_users::Person;

use crate::world::{World, meanwhile};

/// Most groups that a person is in.
const MOST_GROUPS: usize = 200;

async fn add_passkey(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    let id: CredentialId = cx.id();
    let new = NewCredential {
        id,
        kind: Kind::Passkey,
        lookup: Some(id.to_string().into_bytes()),
        name: "Key",
        document: &json!({}),
        sealed: None,
        mark: 0,
        expires_at: None,
    };
    credentials::add(tx, cx, Owner::from(person), new).await
}

async fn join((db, cx): (Db, Cx), (tenant, person): (TenantId, Person), group: Group) -> Result<()> {
    let mut tx = db.begin(tenant).await?;
    groups::add(&mut tx, &cx, &group, &person).await?;
    tx.commit().await
}

async fn new_group(tx: &mut Tx<Tenant>, cx: &Cx, number: usize) -> Group {
    let new = groups::Configuration {
        name: format!("Group {number}"),
        description: String::new(),
        roles: Vec::new(),
    };
    groups::create(tx, cx, &new).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_gets_two_credentials_at_once_has_no_more_than_it_may() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let ada = world.person(tenant, "ada").await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    for _ in 1..MOST_OF_A_KIND {
        add_passkey(&mut tx, &world.cx, &ada).await.unwrap();
    }
    tx.commit().await.unwrap();

    let mut tx = world.db.begin(tenant).await.unwrap();
    add_passkey(&mut tx, &world.cx, &ada).await.unwrap();
    let another = async {
        let mut tx = world.db.begin(tenant).await?;
        add_passkey(&mut tx, &world.cx, &ada).await?;
        tx.commit().await
    };
    let refused = meanwhile(&world.db, tx, another).await;
    assert_eq!(refused.as_ref().map_err(Error::class), Err(Class::Conflict), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_gets_two_identities_of_one_provider_at_once_has_one() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let ada = world.person(tenant, "ada").await;
    let called = |subject: &str| Identity {
        provider: "google".to_owned(),
        provider_name: None,
        issuer: "https://accounts.google.com".to_owned(),
        subject: subject.to_owned(),
        label: subject.to_owned(),
    };
    let mut tx = world.db.begin(tenant).await.unwrap();
    identities::link(&mut tx, &world.cx, Owner::from(&ada), &called("ada")).await.unwrap();
    let another = async {
        let mut tx = world.db.begin(tenant).await?;
        identities::link(&mut tx, &world.cx, Owner::from(&ada), &called("ada at work")).await?;
        tx.commit().await
    };
    let refused = meanwhile(&world.db, tx, another).await;
    assert_eq!(refused.as_ref().map_err(Error::class), Err(Class::Conflict), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_is_put_into_two_groups_at_once_is_in_no_more_than_the_most() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let ada = world.person(tenant, "ada").await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    for number in 1..MOST_GROUPS {
        let group = new_group(&mut tx, &world.cx, number).await;
        groups::add(&mut tx, &world.cx, &group, &ada).await.unwrap();
    }
    let last = new_group(&mut tx, &world.cx, MOST_GROUPS).await;
    let too_much = new_group(&mut tx, &world.cx, MOST_GROUPS + 1).await;
    tx.commit().await.unwrap();

    let mut tx = world.db.begin(tenant).await.unwrap();
    groups::add(&mut tx, &world.cx, &last, &ada).await.unwrap();
    let second = join((world.db.clone(), world.cx.clone()), (tenant, ada), too_much);
    let refused = meanwhile(&world.db, tx, second).await;
    assert_eq!(refused.as_ref().map_err(Error::class), Err(Class::Conflict), "{refused:?}");
}
