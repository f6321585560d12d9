//! Cursors of lists: one that we gave out leads on in its own list, and everything else is refused.
//!
//! An input is the query of a list request; it also is the position to be carried.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use svc_config::Config;
use svc_core::{Actor, Cx, ManualClock, SeededEntropy};
use svc_db::coordination::Coordination;
use svc_db::{Db, PoolSettings};
use svc_domain::tenancy::tenants::{self, NewTenant, TenantSettings};
use svc_domain::{MIGRATIONS, Services};
use svc_fuzz::NOW;
use svc_http::{App, Arrival, Extensions, Narrowed, Params, Parts, TenantCx};
use svc_keys::Keyring;

static LIST: LazyLock<TenantCx> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(list())
});

fuzz_target!(|query: &str| {
    if let Ok(params) = Params::parse(query) {
        let asked = LIST.list::<String>(&params);
        assert!(asked.is_err() || params.one("cursor").is_none(), "it was never given out");
        assert!(asked.is_err() || asked.is_ok_and(|asked| (1..=200).contains(&asked.limit)));
    }

    let page = LIST.page(vec![query.to_owned(); 2], 1, String::clone).unwrap();
    let params: Params = [("cursor", page.next_cursor.expect("there is more"))].into_iter().collect();
    assert_eq!(LIST.list(&params).unwrap().after, Some(query.to_owned()));
    let other = TenantCx { route: "/api/v1/others", ..LIST.clone() };
    assert!(other.list::<String>(&params).is_err());
});

/// A list of a service that holds one tenant.
async fn list() -> TenantCx {
    let folder = tempfile::tempdir().unwrap();
    let db =
        Db::open(&format!("sqlite:{}", folder.path().join("svc.db").display()), &PoolSettings::default())
            .unwrap();
    db.migrate(MIGRATIONS).await.unwrap();
    let entropy = Arc::new(SeededEntropy::new(7));
    let actor = Actor::System("fuzz");
    let cx = Cx { now: NOW, entropy: entropy.clone(), actor, request_id: "fuzz".to_owned(), client_ip: None };
    let mut tx = db.begin_system().await.unwrap();
    let settings = TenantSettings::default();
    let new = NewTenant { slug: "main".to_owned(), name: "Main".to_owned(), custom_domain: None, settings };
    tenants::create(&mut tx, &cx, &new).await.unwrap();
    tx.commit().await.unwrap();

    let env = [("SVC_TENANT__DEFAULT_TENANT_SLUG", "main"), ("SVC_SERVER__BASE_DOMAIN", "localhost")];
    let config = Config::load(None, &env.map(|(name, value)| (name.to_owned(), value.to_owned()))).unwrap();
    let services =
        Services::start(&db, &config, &cx, Keyring::ephemeral(&*cx.entropy, NOW).into()).await.unwrap();
    let tenant = services.tenants.at_host("localhost").await.unwrap();
    let claims = json!({
        "iss": tenant.issuer, "sub": "ada", "aud": tenant.api_audience(), "exp": NOW.as_secs() + 300,
        "nbf": NOW.as_secs(), "iat": NOW.as_secs(), "jti": "jti-1", "tenant_id": tenant.id, "client_id": "app",
        "scope": "", "subject_type": "human",
    });
    let claims = Arc::new(serde_json::from_value(claims).unwrap());
    let clock = Arc::new(ManualClock::new(NOW));
    let (coordination, planes) = (Coordination::memory(), Extensions::new());
    let (maintenance, replica) = (db.clone(), None);
    let parts = Parts { config, db, maintenance, replica, clock, entropy, services, coordination, planes };
    let app = App::new(parts).unwrap();
    let arrival = Arc::new(Arrival::default());
    let narrowed = Narrowed::default();
    TenantCx { cx, tenant, claims, app, route: "/api/v1/applications", narrowed, arrival }
}
