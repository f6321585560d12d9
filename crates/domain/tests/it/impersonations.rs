//! What support staff have begun ends with its impersonation, also where it begins at the moment of the end.

use svc_core::{Digest, SessionId};
use svc_db::{args, sql};
use svc_domain::people::impersonations::{self, Browser, NewImpersonation};

use crate::world::World;

const LINK: Digest = Digest([1; 32]);
const COOKIE: Digest = Digest([2; 32]);

#[tokio::test]
async fn what_has_begun_since_it_was_looked_at_ends_with_its_session() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (person, staff) = (world.person(tenant, "ada").await, world.person(tenant, "sam").await);
    let new = NewImpersonation {
        person: &person,
        staff: &staff,
        app: None,
        reason: "a call",
        minutes: 10,
        needs_approval: false,
    };
    let mut tx = world.db.begin(tenant).await.unwrap();
    let ready = impersonations::ask(&mut tx, &world.cx, &new).await.unwrap();
    tx.commit().await.unwrap();

    let own: SessionId = world.cx.id();
    let mut tx = world.db.begin(tenant).await.unwrap();
    impersonations::link(&mut tx, &world.cx, &ready, (own, LINK)).await.unwrap();
    let browser = Browser { digest: COOKIE, user_agent: "test" };
    let begun = impersonations::begin(&mut tx, &world.cx, &ready, (&person, &staff), browser).await.unwrap();
    tx.commit().await.unwrap();

    let mut tx = world.db.begin(tenant).await.unwrap();
    assert!(impersonations::end(&mut tx, &world.cx, &ready).await.unwrap());
    let ended = sql!("SELECT ended_at FROM sessions WHERE tenant_id = $1 AND id = $2");
    let session = tx.one(ended, args![begun.id]).await.unwrap();
    assert_eq!(session.maybe_time("ended_at").unwrap(), Some(world.cx.now));
}
