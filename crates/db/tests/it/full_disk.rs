//! A full disk fails what is written while it is full, and nothing afterwards.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use svc_core::Class;
use svc_db::{Db, PoolSettings, args, quiet_sql, sql};

use crate::place::{Place, TABLE, tenant};

/// A file system of one megabyte; mounting one takes rights that not every machine gives.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(folder: &Path) -> Option<Self> {
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(folder).output();
        mount.is_ok_and(|output| output.status.success()).then(|| Self(folder.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[tokio::test]
async fn after_a_full_disk_has_room_again_everything_is_written_without_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(home.path()) else {
        return limited_to_few_pages().await;
    };
    let url = format!("sqlite:{}", disk.0.join("svc.db").display());
    let db = Db::open(&url, &PoolSettings::default()).unwrap();
    db.migrate(&[TABLE]).await.unwrap();
    let ballast = disk.0.join("ballast");
    fs::write(&ballast, vec![0; 700_000]).unwrap();

    let refused = fill(&db).await;
    assert_eq!(refused, Class::TemporarilyUnavailable);
    let before = kept(&db).await;
    assert!(db.ping().await.is_err() || fill(&db).await == Class::TemporarilyUnavailable);

    fs::remove_file(&ballast).unwrap();
    db.ping().await.unwrap();
    insert(&db, "afterwards").await.unwrap();
    assert_eq!(kept(&db).await, before + 1, "what was answered with a failure was not kept");
}

/// The same where no file system can be mounted: the engine itself is allowed few pages.
async fn limited_to_few_pages() {
    let place = Place::on_sqlite(PoolSettings::default()).await;
    place.db.limit_pages(20).await.unwrap();
    assert_eq!(fill(&place.db).await, Class::TemporarilyUnavailable);
    let before = kept(&place.db).await;
    place.db.ping().await.unwrap();
    insert(&place.db, "afterwards").await.unwrap();
    assert_eq!(kept(&place.db).await, before + 1);
}

/// Writes until it is refused.
async fn fill(db: &Db) -> Class {
    for number in 0.. {
        let id = format!("{number:06}{}", "x".repeat(3_000));
        if let Err(error) = insert(db, &id).await
            && error.class() != Class::Conflict
        {
            return error.class();
        }
    }
    unreachable!()
}

async fn insert(db: &Db, id: &str) -> svc_core::Result<()> {
    let mut tx = db.begin(tenant()).await?;
    tx.execute(quiet_sql!("a test", "INSERT INTO things (tenant_id, id) VALUES ($1, $2)"), args![id]).await?;
    tx.commit().await
}

async fn kept(db: &Db) -> i64 {
    let mut tx = db.read(tenant()).await.unwrap();
    let count = sql!("SELECT COUNT(*) AS things FROM things WHERE tenant_id = $1");
    tx.one(count, args![]).await.unwrap().int("things").unwrap()
}
