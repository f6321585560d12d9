//! Only its owner may read the file, and only a migration makes one.

use std::os::unix::fs::PermissionsExt as _;

use svc_core::Class;
use svc_db::{Db, PoolSettings, SchemaState, args, quiet_sql};

use crate::place::{Place, TABLE, tenant};

#[tokio::test]
async fn the_file_its_neighbours_and_its_copy_are_private() {
    let place = Place::on_sqlite(PoolSettings::default()).await;
    place.add("a").await.unwrap();
    place.db.backup(&place.folder.path().join("copy.db")).await.unwrap();
    let mut modes = Vec::new();
    for entry in place.folder.path().read_dir().unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        modes.push((entry.file_name().into_string().unwrap(), format!("{mode:o}")));
    }
    modes.sort();
    let names = ["copy.db", "svc.db", "svc.db-shm", "svc.db-wal"];
    assert_eq!(modes, names.map(|name| (name.to_owned(), "600".to_owned())));
    let again = place.db.backup(&place.folder.path().join("copy.db")).await;
    assert_eq!(again.unwrap_err().class(), Class::BadRequest, "a backup never overwrites");
}

#[tokio::test]
async fn looking_at_a_missing_file_does_not_create_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("svc.db");
    let db = Db::open(&format!("sqlite:{}", file.display()), &PoolSettings::default()).unwrap();
    assert_eq!(db.schema_state(&[TABLE]).await.unwrap(), SchemaState::Behind { missing: 1 });
    let mut tx = db.begin(tenant()).await.unwrap();
    let insert = quiet_sql!("a test", "INSERT INTO things (tenant_id, id) VALUES ($1, 'a')");
    assert_eq!(tx.execute(insert, args![]).await.unwrap_err().class(), Class::TemporarilyUnavailable);
    assert!(db.ping().await.is_err());
    let copy = folder.path().join("copy.db");
    assert!(db.backup(&copy).await.is_err() && !copy.exists(), "what is no copy is not taken for one");
    assert!(!file.exists());
}
