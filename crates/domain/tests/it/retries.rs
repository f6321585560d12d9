//! Retries of writes under a key: what is kept is the response of the call that has the slot.

use svc_core::{Cx, Digest, Seconds};
use svc_domain::coordination::idempotency::{self, Claim, Slot};

use crate::world::World;

const PATIENCE: Seconds = Seconds(35);

#[tokio::test]
async fn a_call_that_took_too_long_leaves_the_slot_to_the_one_that_has_it_by_now() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (key, body) = (Digest([1; 32]), Digest([2; 32]));
    let slot = Slot { caller: "web ada", route: "POST /api/v1/groups", key, body };
    let late = Cx { now: world.cx.now + PATIENCE, ..world.cx.clone() };
    let mut tx = world.db.begin(tenant).await.unwrap();
    for cx in [&world.cx, &late] {
        let claimed = idempotency::claim(&mut tx, cx, &slot, PATIENCE).await.unwrap();
        assert_eq!(claimed, Claim::First);
    }
    idempotency::complete(&mut tx, &world.cx, &slot, b"of the first".to_vec()).await.unwrap();
    idempotency::abandon(&mut tx, &world.cx, &slot).await.unwrap();
    let running = idempotency::claim(&mut tx, &late, &slot, PATIENCE).await.unwrap();
    assert_eq!(running, Claim::Running);
    idempotency::complete(&mut tx, &late, &slot, b"of the second".to_vec()).await.unwrap();
    let done = idempotency::claim(&mut tx, &late, &slot, PATIENCE).await.unwrap();
    assert_eq!(done, Claim::Done(b"of the second".to_vec()));

    // A response that does not open is made again, by a call that has the slot from then on.
    let again = Cx { now: late.now + Seconds(1), ..late.clone() };
    let claimed = idempotency::claim_again(&mut tx, &again, &slot, PATIENCE).await.unwrap();
    assert_eq!(claimed, Claim::First);
    idempotency::complete(&mut tx, &late, &slot, b"of the second".to_vec()).await.unwrap();
    idempotency::abandon(&mut tx, &again, &slot).await.unwrap();
    let claimed = idempotency::claim(&mut tx, &again, &slot, PATIENCE).await.unwrap();
    assert_eq!(claimed, Claim::First);
}
