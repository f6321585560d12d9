//! TLS to PostgreSQL: the certificate of the server is checked as far as `sslmode` says, and no connection is made in clear instead.

use std::path::{Path, PathBuf};

use svc_db::{Db, PoolSettings, SystemSql};
use svc_testkit::cluster::{Cluster, Copied, Stop};
use svc_testkit::database::postgres_url;

/// Whether a connection is made; one that is made speaks TLS.
async fn connects(url: &str, authorities: Option<&Path>) -> bool {
    let settings = PoolSettings { authorities: authorities.map(Path::to_owned), ..PoolSettings::default() };
    let db = Db::open(url, &settings).unwrap();
    if db.why_unreachable().await.is_some() {
        return false;
    }
    let select =
        SystemSql::new("SELECT CAST(ssl AS TEXT) AS said FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
    let row = db.read_system().await.unwrap().one(select, &[]).await.unwrap();
    assert_eq!(row.text("said").unwrap(), "true", "{url}");
    db.close().await;
    true
}

#[tokio::test]
async fn postgresql_is_who_the_authorities_say_as_far_as_its_address_asks() {
    let Some(original) = postgres_url() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [own, foreign] = ["own.pem", "foreign.pem"].map(|name| folder.path().join(name));
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(&own, made.cert.pem()).unwrap();
    std::fs::write(&foreign, other.cert.pem()).unwrap();
    let mut cluster = Cluster::copy_of(&original, Copied::Apart).await;
    let url = cluster.instead_of(&original);
    let address = |host: &str, mode: &str| {
        let separator = if url.contains('?') { '&' } else { '?' };
        format!("{}{separator}sslmode={mode}", url.replacen("127.0.0.1", host, 1))
    };
    cluster.run(&original, "ALTER SYSTEM SET ssl = off");
    // Read again, the setting would hold a moment later.
    cluster.stop(Stop::Fast);
    cluster.start_again(&original).await;
    for mode in ["require", "verify-ca", "verify-full"] {
        assert!(!connects(&address("127.0.0.1", mode), Some(&own)).await, "{mode} of a server without TLS");
    }
    cluster.speak_tls(&original, &made.cert.pem(), &made.signing_key.serialize_pem()).await;
    for (host, mode, authorities, is_made) in [
        ("127.0.0.1", "require", None, true),
        ("127.0.0.1", "verify-ca", None, false),
        ("127.0.0.1", "verify-ca", Some(&foreign), false),
        ("127.0.0.1", "verify-ca", Some(&own), true),
        ("127.0.0.1", "verify-full", Some(&own), false),
        ("localhost", "verify-full", None, false),
        ("localhost", "verify-full", Some(&foreign), false),
        ("localhost", "verify-full", Some(&own), true),
    ] {
        let is_connected = connects(&address(host, mode), authorities.map(PathBuf::as_path)).await;
        assert_eq!(is_connected, is_made, "{mode} of {host} with {authorities:?}");
    }
}
