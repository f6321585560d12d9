//! `svc-runtime tenant`: from one deployment to another by the commands, and a process that is killed while it brings a tenant.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use svc_db::{Db, PoolSettings, SystemSql};

use super::{Place, exit};

const FILE: &str = "[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\n\n[[tenant.application]]\nhandle = \"backend\"\n\
                    name = \"Backend\"\ngrant_types = [\"client_credentials\"]\n";
const EXPORT: [&str; 7] =
    ["tenant", "export", "--tenant", "acme", "--out", "acme.archive", "--passphrase-file=passphrase"];
const IMPORT: [&str; 5] = ["tenant", "import", "--in", "acme.archive", "--passphrase-file=passphrase"];

impl Place {
    fn with_passphrase(self) -> Self {
        self.write("passphrase", "a passphrase that travels apart\n");
        let owner_only = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(self.folder.path().join("passphrase"), owner_only).unwrap();
        self
    }

    async fn tenants(&self) -> Vec<String> {
        let db = Db::open(&self.database.url, &PoolSettings::default()).unwrap();
        let mut tx = db.read_system().await.unwrap();
        let rows = tx.all(SystemSql::new("SELECT slug FROM tenants ORDER BY slug"), &[]).await.unwrap();
        drop(tx);
        db.close().await;
        rows.iter().map(|row| row.text("slug").unwrap()).collect()
    }
}

async fn with_archive() -> Place {
    let place = Place::migrated().await.with_passphrase();
    place.write("acme.toml", FILE);
    let applied = place.run(&["apply", "acme.toml", "--show-secrets"]).await;
    assert!(applied.is_success, "{applied:?}");
    let made = place.run(&EXPORT).await;
    assert!(made.is_success && made.stdout.contains("SHA-256 of its manifest"), "{made:?}");
    place
}

/// Another deployment, at the same address, that has the archive.
async fn elsewhere(place: &Place) -> Place {
    let mut there = Place::migrated().await.with_passphrase();
    let issuer = format!("http://localhost:{}", place.port);
    there.set("SVC_OIDC__ISSUER_URL", &issuer);
    let file = "acme.archive";
    std::fs::copy(place.folder.path().join(file), there.folder.path().join(file)).unwrap();
    there
}

#[tokio::test]
async fn a_tenant_moves_by_two_commands() {
    let place = with_archive().await;
    let file = place.folder.path().join("acme.archive");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let again = place.run(&EXPORT).await;
    assert!(!again.is_success && again.stderr.contains("--out acme.archive: File exists"), "{again:?}");
    let unsealed = place.run(&["tenant", "export", "--tenant", "acme", "--out", "other.archive"]).await;
    assert!(!unsealed.is_success && unsealed.stderr.contains("or pass --without-secrets"), "{unsealed:?}");
    assert!(!place.folder.path().join("other.archive").exists(), "a part of an archive is none");
    let unknown =
        place.run(&["tenant", "export", "--tenant", "globex", "--out", "g", "--without-secrets"]).await;
    assert!(
        !unknown.is_success && unknown.stderr.contains("--tenant: there is no tenant \"globex\""),
        "{unknown:?}"
    );

    let there = elsewhere(&place).await;
    let trial = there.run(&[&IMPORT[..], &["--dry-run"]].concat()).await;
    assert!(trial.is_success && trial.stdout.contains("nothing was changed"), "{trial:?}");
    assert_eq!(there.tenants().await, Vec::<String>::new());
    let brought = there.run(&[&IMPORT[..], &["--json"]].concat()).await;
    assert!(brought.is_success, "{brought:?}");
    let told: Value = serde_json::from_str(&brought.stdout).unwrap();
    assert_eq!(
        (&told["slug"], &told["dry_run"], &told["people"]),
        (&"acme".into(), &false.into(), &0.into())
    );
    let again = there.run(&IMPORT).await;
    assert!(!again.is_success && again.stderr.contains("it is here already"), "{again:?}");
    assert_eq!(there.tenants().await, ["acme"]);
    // The file that made it finds nothing to change, so that everything that it names is there.
    there.write("acme.toml", FILE);
    let applied = there.run(&["apply", "acme.toml", "--json"]).await;
    let told: Value = serde_json::from_str(&applied.stdout).unwrap();
    let records = told["records"].as_array().unwrap();
    assert!(records.iter().all(|record| record["action"] == "unchanged"), "{told}");
}

#[tokio::test]
async fn a_process_that_is_killed_while_it_brings_a_tenant_leaves_nothing() {
    let place = with_archive().await;
    let there = elsewhere(&place).await;
    let path = |name: &str| there.folder.path().join(name);
    let (whole, cut, link, next) = (path("whole"), path("cut"), path("link"), path("next"));
    assert!(Command::new("mkfifo").arg(&whole).arg(&cut).status().unwrap().success());
    symlink(&whole, &link).unwrap();
    symlink(&cut, &next).unwrap();
    let bytes = std::fs::read(path("acme.archive")).unwrap();
    let mut process =
        there.start(&["tenant", "import", "--in", "link", "--passphrase-file=passphrase"], "killed");
    let feeding = std::thread::spawn(move || {
        let write = |pipe: &Path| OpenOptions::new().write(true).open(pipe).unwrap();
        // It is whole when it is looked at; when it is brought, the second half never comes.
        let (last, others) = bytes.split_last().unwrap();
        let mut looked_at = write(&whole);
        looked_at.write_all(others).unwrap();
        std::fs::rename(&next, &link).unwrap();
        looked_at.write_all(&[*last]).unwrap();
        drop(looked_at);
        let mut brought = write(&cut);
        brought.write_all(&bytes[..bytes.len() / 2]).unwrap();
        brought
    });
    let open = feeding.join().unwrap();
    process.kill().unwrap();
    assert!(!exit(&mut process).await);
    drop(open);
    assert_eq!(there.tenants().await, Vec::<String>::new());
    let brought = there.run(&IMPORT).await;
    assert!(brought.is_success, "{brought:?}");
    assert_eq!(there.tenants().await, ["acme"]);
}
