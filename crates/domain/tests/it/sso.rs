//! What the providers of organizations call people.

use serde_json::json;
use svc_core::TenantId;
use svc_domain::federation::sso::{self, Identity};
use svc_domain::organizations;
use svc_domain::people::tenant_users::Person;
use svc_keys::{Keyring, Purpose};

use crate::world::{World, meanwhile};

/// What a provider of the person's organization says, for each of these subjects.
async fn identities<const N: usize>(
    world: &World,
    tenant: TenantId,
    (person, subjects): (&Person, [&str; N]),
) -> [Identity; N] {
    let mut tx = world.db.begin(tenant).await.unwrap();
    let initech = serde_json::from_value(json!({ "name": "Initech" })).unwrap();
    let new = organizations::New { slug: "initech", owner: person, configuration: &initech };
    let organization = organizations::create(&mut tx, &world.cx, new).await.unwrap();
    let login = json!({ "display_name": "Staff", "issuer": "https://login.example", "client_id": "svc", "client_auth": "private_key_jwt" });
    let login = serde_json::from_value(login).unwrap();
    let sealer = Keyring::ephemeral(&*world.cx.entropy, world.cx.now).sealer(Purpose::Credentials);
    let new = sso::New { configuration: &login, client_secret: None, most: 1 };
    let connection = sso::create(&mut tx, &world.cx, &sealer, (organization.id, new)).await.unwrap().id;
    tx.commit().await.unwrap();
    let issuer = "https://login.example".to_owned();
    subjects.map(|subject| Identity { connection, issuer: issuer.clone(), subject: subject.to_owned() })
}

#[tokio::test]
async fn of_two_subjects_that_come_for_a_person_at_once_the_second_finds_the_first() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let ada = world.person(tenant, "ada").await;
    let [one, other] = identities(&world, tenant, (&ada, ["one", "other"])).await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    assert!(!sso::is_bound(&mut tx, &one, ada.id).await.unwrap());
    sso::bind(&mut tx, &world.cx, &one, ada.id).await.unwrap();
    let second = async {
        let mut tx = world.db.begin(tenant).await.unwrap();
        // The same subject in another window is no other one.
        let same = sso::is_bound(&mut tx, &one, ada.id).await.unwrap();
        (same, sso::is_bound(&mut tx, &other, ada.id).await.unwrap())
    };
    assert_eq!(meanwhile(&world.db, tx, second).await, (false, true));
}
