//! What exists is never overwritten, and what did not come to its end does not look as if it had.

use svc_db::{Migration, SchemaState, SystemSql, args};
use svc_domain::MIGRATIONS;

use super::{SetUp, names};
use crate::mtls::authority::Certificate;

impl SetUp {
    fn write(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn a_deployment_that_is_there_stays_as_it_is() {
    let set_up = SetUp::new().await;
    let made = set_up.make(&[]);
    let before = (names(&made.dir), std::fs::read_to_string(made.dir.join("svc.toml")).unwrap());
    set_up
        .refuses(&[], "has a deployment already, which stays as it is; look at it with `svc-runtime doctor");
    let after = (names(&made.dir), std::fs::read_to_string(made.dir.join("svc.toml")).unwrap());
    assert_eq!(before, after);

    std::fs::rename(made.dir.join("svc.toml"), made.dir.join("svc.toml.unfinished")).unwrap();
    set_up.refuses(&[], "is not empty, and has no svc.toml");
}

#[tokio::test]
async fn a_database_with_a_deployment_is_refused_and_no_directory_is_left() {
    let set_up = SetUp::new().await;
    let made = set_up.make(&[]);
    let kept = set_up.folder.path().join("kept");
    std::fs::rename(&made.dir, &kept).unwrap();
    let url = match &set_up.database_url {
        Some(url) => url.clone(),
        None => format!("sqlite:{}", kept.join("svc.db").display()),
    };
    set_up.refuses(&["--database-url", &url], "the database has a deployment already");
    assert!(!made.dir.exists());
}

/// The flags that name the empty database of the place.
fn named(set_up: &SetUp) -> [String; 2] {
    let url = set_up.database_url.as_ref().unwrap_or(&set_up.database.url);
    ["--database-url".to_owned(), url.clone()]
}

#[tokio::test]
async fn a_database_with_tables_of_another_program_is_left_as_it_is() {
    let set_up = SetUp::new().await;
    let ([flag, url], db) = (named(&set_up), &set_up.database.db);
    let sql = "CREATE TABLE accounts (id BIGINT)";
    db.migrate(&[Migration { version: 1, name: "theirs", sql, pg: "", sqlite: "" }]).await.unwrap();
    let mut tx = db.begin_system().await.unwrap();
    tx.execute(SystemSql::new("DELETE FROM schema_migrations"), args![]).await.unwrap();
    tx.commit().await.unwrap();
    set_up.refuses(&[&flag, &url], "the database has tables of another program, which stay as they are");
    assert!(!set_up.dir().exists());
    let untouched = SchemaState::Behind { missing: MIGRATIONS.len() };
    assert_eq!(db.schema_state(MIGRATIONS).await.unwrap(), untouched);
}

// While the command runs, nothing else does here: not even what closes the connection that has migrated.
#[tokio::test]
async fn a_run_that_was_interrupted_while_it_migrated_is_repeated() {
    let set_up = SetUp::new().await;
    let [flag, url] = named(&set_up);
    set_up.database.db.migrate(&MIGRATIONS[..5]).await.unwrap();
    set_up.make(&[&flag, &url]);
}

#[tokio::test]
async fn what_is_wrong_is_refused_and_the_next_run_succeeds() {
    let set_up = SetUp::new().await;
    let (own, other) = (Certificate::self_signed("localhost"), Certificate::self_signed("other.example"));
    let chain = set_up.write("own.crt", &own.pem);
    let [foreign, foreign_key] = [("other.crt", &other.pem), ("other.key", &other.key_pem)]
        .map(|(name, text)| set_up.write(name, text));
    let no_key = set_up.write("no.key", "no key");
    let told = format!("--certificate, --key: {no_key} cannot be read as PEM");
    let rows: [(&[&str], &str); 14] = [
        (&["--operator", "two words"], "--operator: use 1 to 64"),
        (&["--operator-email", "nobody"], "--operator-email: give an address"),
        (&["--certificate", &foreign, "--key", &foreign_key], "--certificate: it is not for localhost"),
        (
            &["--certificate", &chain, "--key", &foreign_key],
            "--certificate, --key: the TLS certificate and key do not work together",
        ),
        (&["--certificate", &chain, "--key", "absent.key"], "--key: absent.key cannot be read"),
        (&["--certificate", &chain, "--key", &no_key], &told),
        (&["--email-from", "nobody"], "--email-from: give a sender"),
        (&["--email-smtp-password", "canary"], "--email-smtp-password: there is no relay"),
        (&["--tenant-name", ""], "--tenant-name: use 1 to 200 characters"),
        (&["--tenant", "Not A Slug"], "--tenant: \"Not A Slug\" has the wrong form"),
        (&["--database-url", "postgres://svc:canary@127.0.0.1:1/svc"], "--database-url: the database "),
        (
            &["--database-url", "postgres://svc:canary@127.0.0.1:1/svc?sslmode=disable"],
            "--database-url: it must demand TLS in production",
        ),
        (&["--database-url", "mysql://127.0.0.1/svc"], "--database-url: "),
        (&["--user", "no-such-user"], "--user: /etc/passwd has no user"),
    ];
    for (flags, says) in rows {
        set_up.refuses(flags, says);
        assert!(!set_up.dir().exists(), "{flags:?}");
    }
    assert!(!set_up.run(&["--certificate", &chain]).status.success());
    set_up.make(&[]);
}
