//! What is read with many statements is one state, whatever is committed meanwhile, and nothing can be written there.

use svc_db::{PoolSettings, SystemSql, args, quiet_system_sql, system_sql};

use crate::place::Place;

const COUNT: SystemSql = system_sql!("SELECT COUNT(*) AS things FROM things");

#[tokio::test]
async fn a_snapshot_sees_what_was_there_with_its_first_statement() {
    let place = Place::new(PoolSettings::default()).await;
    place.add("a").await.unwrap();
    let mut snapshot = place.db.snapshot_system().await.unwrap();
    for id in ["b", "c"] {
        assert_eq!(snapshot.one(COUNT, args![]).await.unwrap().int("things").unwrap(), 1);
        place.add(id).await.unwrap();
    }
    assert_eq!(snapshot.one(COUNT, args![]).await.unwrap().int("things").unwrap(), 1);
    let delete = quiet_system_sql!("a test", "DELETE FROM things");
    assert!(snapshot.execute(delete, args![]).await.is_err());
    assert!(snapshot.one(COUNT, args![]).await.is_err(), "it would be another state");
    drop(snapshot);
    let mut later = place.db.snapshot_system().await.unwrap();
    assert_eq!(later.one(COUNT, args![]).await.unwrap().int("things").unwrap(), 3);
    later.rollback().await.unwrap();
}
