//! What SQLite does not do by itself: good plans, and a file that becomes smaller.

use svc_db::{PoolSettings, args, quiet_sql, system_sql};

use crate::place::{Place, tenant};

impl Place {
    /// The pages of the file.
    async fn length(&self) -> i64 {
        let mut tx = self.db.read_system().await.unwrap();
        let count = system_sql!("SELECT page_count AS number FROM pragma_page_count");
        tx.one(count, args![]).await.unwrap().int("number").unwrap()
    }

    async fn has_statistics(&self) -> bool {
        let mut tx = self.db.read_system().await.unwrap();
        let count = system_sql!("SELECT count(*) AS number FROM sqlite_master WHERE name = 'sqlite_stat1'");
        tx.one(count, args![]).await.unwrap().int("number").unwrap() == 1
    }
}

#[tokio::test]
async fn what_a_reader_gathers_stays_in_memory_and_what_the_writer_notes_may_go_to_a_file() {
    let place = Place::on_sqlite(PoolSettings::default()).await;
    place.add("a").await.unwrap();
    let kept = system_sql!("SELECT temp_store AS number FROM pragma_temp_store");
    let mut reader = place.db.read_system().await.unwrap();
    assert_eq!(reader.one(kept, args![]).await.unwrap().int("number").unwrap(), 2);
    let mut writer = place.db.begin_system().await.unwrap();
    assert_eq!(writer.one(kept, args![]).await.unwrap().int("number").unwrap(), 0);
}

#[tokio::test]
async fn a_file_gives_back_what_was_removed_some_pages_at_a_time() {
    let place = Place::on_sqlite(PoolSettings::default()).await;
    let mut tx = place.db.begin(tenant()).await.unwrap();
    let insert = quiet_sql!("a test", "INSERT INTO things (tenant_id, id) VALUES ($1, $2)");
    for number in 0..2_000 {
        tx.execute(insert, args![format!("{number:0100}")]).await.unwrap();
    }
    tx.commit().await.unwrap();
    let full = place.length().await;
    let mut tx = place.db.begin(tenant()).await.unwrap();
    tx.execute(quiet_sql!("a test", "DELETE FROM things WHERE tenant_id = $1"), args![]).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(place.length().await, full, "unused pages stay in the file");
    assert_eq!(place.db.optimize(u32::MAX, 10).await.unwrap(), 10);
    assert_eq!(place.length().await, full - 10);
    assert!(place.db.optimize(u32::MAX, u32::MAX).await.unwrap() > 40);
    assert_eq!(place.db.optimize(u32::MAX, u32::MAX).await.unwrap(), 0);
    place.add("a").await.unwrap();
    assert_eq!(place.ids().await, ["a"]);
}

#[tokio::test]
async fn statistics_are_made_in_a_file_of_some_size_only() {
    let place = Place::on_sqlite(PoolSettings::default()).await;
    for number in 0..20 {
        place.add(&number.to_string()).await.unwrap();
    }
    place.db.optimize(1_000, 0).await.unwrap();
    assert!(!place.has_statistics().await);
    place.db.optimize(1, 0).await.unwrap();
    assert!(place.has_statistics().await);
}

#[tokio::test]
async fn postgresql_is_left_to_its_own_upkeep() {
    let place = Place::new(PoolSettings::default()).await;
    if !place.is_sqlite() {
        assert_eq!(place.db.optimize(0, 100).await.unwrap(), 0);
    }
}
