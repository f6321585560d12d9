//! What was decided about an account as it was read counts for no other: its address or its credentials may have changed since.

use svc_core::{Class, Cx, Error, Seconds, TenantId};
use svc_db::{args, quiet_system_sql};
use svc_domain::log::Action;
use svc_domain::people::accounts::{self, Account, Email};
use svc_domain::people::changes;
use svc_domain::people::tenant_users::{self, Person};

use crate::world::World;

const PASSWORD: (&str, Action) = ("a hash", Action::PasswordChanged);

/// A tenant, a person whose address has not been proven, and the account as it is read now.
async fn unproven(world: &World) -> (TenantId, Person, Account) {
    let tenant = world.tenant("acme").await;
    let person = world.person_with(tenant, "ada", |new| new.email_verified = false).await;
    let mut tx = world.db.read(tenant).await.unwrap();
    let account = accounts::find(&mut tx, person.account_id).await.unwrap().unwrap();
    (tenant, person, account)
}

/// Another node gives the account another address.
async fn is_readdressed(world: &World, account: &Account) {
    let update = quiet_system_sql!(
        "a test",
        "UPDATE accounts SET email = 'eve@example.com', email_key = 'eve@example.com' WHERE id = $1"
    );
    let mut tx = world.db.begin_system().await.unwrap();
    assert_eq!(tx.execute(update, args![account.id]).await.unwrap(), 1);
    tx.commit().await.unwrap();
}

/// Another node sets a password.
async fn has_another_password(world: &World, tenant: TenantId, account: &Account) {
    let cx = later(world);
    let mut tx = world.db.begin(tenant).await.unwrap();
    changes::set_account_password(&mut tx, &cx, account, PASSWORD).await.unwrap();
    tx.commit().await.unwrap();
}

fn later(world: &World) -> Cx {
    Cx { now: world.cx.now + Seconds(1), ..world.cx.clone() }
}

/// The person as they are now.
async fn present(world: &World, tenant: TenantId, person: &Person) -> Person {
    let mut tx = world.db.read(tenant).await.unwrap();
    tenant_users::find(&mut tx, person.id).await.unwrap().unwrap()
}

#[tokio::test]
async fn who_has_proven_an_address_is_not_handed_an_account_that_has_another_one_by_now() {
    let world = World::new().await;
    let (tenant, person, account) = unproven(&world).await;
    is_readdressed(&world, &account).await;
    for password in [None, Some(PASSWORD)] {
        let mut tx = world.db.begin(tenant).await.unwrap();
        let handed = changes::hand_over(&mut tx, &world.cx, &account, password).await;
        assert_eq!(handed.map_err(|error| error.class()), Err(Class::Conflict));
        tx.rollback().await.unwrap();
    }
    let now = present(&world, tenant, &person).await;
    assert_eq!((now.email.as_deref(), now.email_verified), (Some("eve@example.com"), false));
}

#[tokio::test]
async fn an_address_is_not_noted_as_proven_in_the_place_of_another_one() {
    let world = World::new().await;
    let (tenant, person, account) = unproven(&world).await;
    is_readdressed(&world, &account).await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    let noted = changes::verify_email(&mut tx, &world.cx, &person).await;
    assert_eq!(noted.map_err(|error| error.class()), Err(Class::Conflict));
    tx.rollback().await.unwrap();
    assert!(!present(&world, tenant, &person).await.email_verified);
}

#[tokio::test]
async fn a_password_takes_the_place_of_the_credentials_alone_for_which_it_was_chosen() {
    let world = World::new().await;
    let (tenant, _, account) = unproven(&world).await;
    has_another_password(&world, tenant, &account).await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    let set = changes::set_account_password(&mut tx, &later(&world), &account, PASSWORD).await;
    assert_eq!(set.as_ref().map_err(Error::class), Err(Class::Conflict), "{set:?}");
}

#[tokio::test]
async fn who_was_in_an_account_that_its_owner_has_taken_back_gives_it_no_address() {
    let world = World::new().await;
    let (tenant, person, account) = unproven(&world).await;
    has_another_password(&world, tenant, &account).await;
    let (mut tx, after) = (world.db.begin(tenant).await.unwrap(), Email::parse("eve@example.com").unwrap());
    let addresses = (person.email.as_deref(), &after);
    assert!(!changes::set_address(&mut tx, &later(&world), &person, addresses).await.unwrap());
    tx.rollback().await.unwrap();
    let now = present(&world, tenant, &person).await;
    assert_eq!(now.email, person.email);
}
