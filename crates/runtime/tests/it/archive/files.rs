//! What a command asks of an archive: names, trials, secrets that stay away, and an import that is cut short.

use std::io::{BufReader, Read};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;
use svc_db::{SystemSql, args};
use svc_domain::archive::CARRIED;
use svc_http::Method;

use super::*;
use crate::isolation::records;

async fn has_tenant(there: &Harness, slug: &str) -> bool {
    let mut tx = there.app().db.read_system().await.unwrap();
    svc_domain::tenancy::tenants::find_by_slug(&mut tx, slug).await.unwrap().is_some()
}

#[tokio::test]
async fn a_trial_changes_nothing_and_a_second_import_is_refused() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    let _ = site.user("ada").await;
    let bytes = archive(&site).await;
    let there = elsewhere().await;
    let trial = ImportOptions { dry_run: true, ..options(None) };
    let (checked, imported) = brought(&there, &bytes, &trial, Some(PASSPHRASE)).await.unwrap();
    assert_eq!((checked.people, imported.issuer.as_str()), (1, site.issuer()));
    assert!(!has_tenant(&there, "acme").await);
    moved(&there, &bytes).await;
    let again =
        brought(&there, &bytes, &options(Some("acme2")), Some(PASSPHRASE)).await.err().unwrap().to_string();
    assert!(again.contains("it is here already, as \"acme\""), "{again}");
}

#[tokio::test]
async fn another_name_and_with_it_another_issuer_has_to_be_asked_for() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    let bytes = archive(&site).await;
    let settings = [
        OFFERED,
        &[("SVC_OIDC__ISSUER_URL", "https://other.test"), ("SVC_SERVER__BASE_DOMAIN", "other.test")],
    ];
    let custody = svc_testkit::keyring(&SeededEntropy::new(4711), START);
    let there = Harness::over(custody.into(), &settings.concat()).await;
    let failure = brought(&there, &bytes, &options(None), Some(PASSPHRASE)).await.err().unwrap().to_string();
    assert!(
        failure.contains("the issuer would be https://acme.other.test, and was https://acme.id.test"),
        "{failure}"
    );
    assert!(!has_tenant(&there, "acme").await);
    let waiting = ImportOptions { suspended: true, ..options(Some("acme-eu")) };
    let (checked, imported) = brought(&there, &bytes, &waiting, Some(PASSPHRASE)).await.unwrap();
    assert_eq!(
        (checked.tenant.slug.as_str(), imported.issuer.as_str()),
        ("acme-eu", "https://acme-eu.other.test")
    );
    assert!(there.app().services.tenants.by_id(imported.id).await.is_err(), "it is suspended");
}

#[tokio::test]
async fn second_factors_that_people_could_not_have_here_are_told_and_stand_in_no_ones_way() {
    let codes = ("SVC_EMAIL_OTP__ENABLED", "true");
    let h = Harness::with(&[codes]).await;
    let site = h.tenant("acme").await;
    let settings =
        json!({ "settings": { "disabled_capabilities": ["password"], "second_factor_required": true } });
    let token = site.mint(|_| ());
    let set = site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&token), Some(settings));
    let _ = set.await.expect(200);
    let _ = site.app_with("vault", |app| app.second_factor_required = true).await;
    let bytes = archive(&site).await;
    for (passkeys, is_told) in [("true", false), ("false", true)] {
        let custody = svc_testkit::keyring(&SeededEntropy::new(4711), START);
        let there = Harness::over(custody.into(), &[codes, ("SVC_PASSKEY__ENABLED", passkeys)]).await;
        there.advance(60);
        let (_, imported) = brought(&there, &bytes, &options(None), Some(PASSPHRASE)).await.unwrap();
        assert!(has_tenant(&there, "acme").await);
        let told = imported.warnings;
        if is_told {
            let [settings, app] = &told[..] else { panic!("{told:?}") };
            assert!(
                settings.starts_with("second_factor_required: people sign in by a mailed code"),
                "{told:?}"
            );
            assert!(app.contains("the application \"vault\" demands a second factor"), "{told:?}");
        } else {
            assert!(told.is_empty(), "{told:?}");
        }
    }
}

#[tokio::test]
async fn secrets_stay_away_where_that_is_asked_for_and_nowhere_else() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    records(&site).await;
    let app = site.harness.app();
    let tenant = app.services.tenants.by_id(site.tenant.id).await.unwrap();
    let about = (&*tenant, &h.operator());
    let refused =
        write(&app.db, &app.services.custody, about, (None, false), Vec::new()).await.err().unwrap();
    assert!(
        refused.to_string().contains("or pass --without-secrets, and do without scim_targets"),
        "{refused}"
    );
    for passphrase in [None, Some(PASSPHRASE)] {
        let bytes = written(&site, (passphrase, true)).await;
        let there = elsewhere().await;
        let (_, imported) = brought(&there, &bytes, &options(None), passphrase).await.unwrap();
        assert!(imported.rows > 20, "{imported:?}");
        for table in CARRIED {
            let lines = lines(&bytes);
            let is_there = lines.iter().any(|line| line["part"] == table.name);
            assert_eq!(is_there, !svc_domain::archive::needs_secrets(table.name), "{}", table.name);
        }
        assert!(part(&bytes, "sso_connections").iter().all(|row| row["sealed_secret"].is_null()));
        assert!(part(&bytes, "account_credentials").iter().all(|row| row["sealed"].is_null()));
    }
}

/// A file that is gone after some bytes.
struct Short<'a>(&'a [u8]);

impl Read for Short<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.0.is_empty() {
            return Err(std::io::Error::other("the disk is gone"));
        }
        self.0.read(into)
    }
}

#[tokio::test]
async fn an_import_that_is_cut_short_leaves_nothing_and_the_next_one_succeeds() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    records(&site).await;
    let bytes = archive(&site).await;
    let there = elsewhere().await;
    let here = here(there.app());
    let opened = AtomicU32::new(0);
    // It is whole when it is looked at, and not when it is brought.
    let open = || {
        let is_first = opened.fetch_add(1, Ordering::SeqCst) == 0;
        let whole = if is_first { bytes.len() } else { bytes.len() / 2 };
        let source: Box<dyn Read> =
            if is_first { Box::new(&bytes[..whole]) } else { Box::new(Short(&bytes[..whole])) };
        Ok(BufReader::new(source))
    };
    let failure = bring(here, &there.operator(), &options(None), Some(PASSPHRASE), open).await.err().unwrap();
    assert!(failure.to_string().contains("the disk is gone"), "{failure}");
    assert!(!has_tenant(&there, "acme").await);
    // Another archive than the one that was looked at.
    let other = archive(&site).await;
    let opened = AtomicU32::new(0);
    let open = || {
        let which = if opened.fetch_add(1, Ordering::SeqCst) == 0 { &bytes } else { &other };
        Ok(Cursor::new(which.clone()))
    };
    let failure = bring(here, &there.operator(), &options(None), Some(PASSPHRASE), open).await.err().unwrap();
    assert!(!failure.to_string().is_empty() && !has_tenant(&there, "acme").await, "{failure}");
    moved(&there, &bytes).await;
}

#[tokio::test]
async fn a_tenant_is_stamped_when_it_can_be_seen_however_long_it_was_on_the_way() {
    let h = Harness::with(OFFERED).await;
    let bytes = archive(&h.tenant("acme").await).await;
    let there = elsewhere().await;
    let begun = there.operator();
    let open = || {
        there.advance(600);
        Ok(Cursor::new(bytes.clone()))
    };
    bring(here(there.app()), &begun, &options(None), Some(PASSPHRASE), open).await.unwrap();
    let mut tx = there.app().db.read_system().await.unwrap();
    let stamped = SystemSql::new("SELECT updated_at FROM tenants WHERE slug = 'acme'");
    let stamped = tx.one(stamped, args![]).await.unwrap().time("updated_at").unwrap();
    assert_eq!(stamped, there.app().clock.now());
}
