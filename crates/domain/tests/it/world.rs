//! A migrated database with a tenant, a person and an application in it.

use std::pin::Pin;
use std::sync::Arc;

use serde_json::json;
use svc_core::{Actor, Cx, Result, SeededEntropy, TenantId, Timestamp};
use svc_db::{Db, PoolSettings, Tenant, Tx};
use svc_domain::MIGRATIONS;
use svc_domain::apps::{self, App, GrantType, Rules};
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::tenant_users::{self, Person};
use svc_domain::tenancy::tenants::{self, NewTenant, TenantSettings};

pub struct World {
    pub db: Db,
    pub cx: Cx,
    /// Removes the database with the world.
    _home: tempfile::TempDir,
}

/// One of several attempts at the same thing.
pub type Act<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

impl World {
    pub async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let seed = fresh_seed();
        let db = if let Ok(url) = std::env::var("SVC_TEST_DATABASE_URL") {
            let schema = format!("domain_{seed:x}");
            let admin = Db::open(&url, &PoolSettings::default()).unwrap();
            admin.create_schema(&schema).await.unwrap();
            Db::open(&url, &PoolSettings { schema: Some(schema), ..PoolSettings::default() }).unwrap()
        } else {
            let url = format!("sqlite:{}", directory.path().join("svc.db").display());
            Db::open(&url, &PoolSettings::default()).unwrap()
        };
        db.migrate(MIGRATIONS).await.unwrap();
        let cx = Cx {
            now: Timestamp::from_secs(1_800_000_000),
            entropy: Arc::new(SeededEntropy::new(seed)),
            actor: Actor::System("test"),
            request_id: "req-test".to_owned(),
            client_ip: None,
        };
        Self { db, cx, _home: directory }
    }

    pub async fn tenant(&self, slug: &str) -> TenantId {
        let mut tx = self.db.begin_system().await.unwrap();
        let new = NewTenant {
            slug: slug.to_owned(),
            name: slug.to_owned(),
            custom_domain: None,
            settings: TenantSettings::default(),
        };
        let id = tenants::create(&mut tx, &self.cx, &new).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    /// Does the same `times` at once, each in a transaction of its own that is committed where `act` succeeds.
    pub async fn at_once<T, A>(&self, tenant: TenantId, times: usize, act: A) -> Vec<Result<T>>
    where
        T: Send + 'static,
        A: for<'a> Fn(&'a mut Tx<Tenant>, usize) -> Act<'a, T> + Clone + Send + 'static,
    {
        let attempts = (0..times).map(|number| {
            let (db, act) = (self.db.clone(), act.clone());
            tokio::spawn(async move {
                let mut tx = db.begin(tenant).await?;
                let outcome = act(&mut tx, number).await?;
                tx.commit().await?;
                Ok(outcome)
            })
        });
        let mut outcomes = Vec::new();
        for attempt in attempts.collect::<Vec<_>>() {
            outcomes.push(attempt.await.unwrap());
        }
        outcomes
    }

    pub async fn person(&self, tenant: TenantId, name: &str) -> Person {
        let mut tx = self.db.begin(tenant).await.unwrap();
        let email = Email::parse(&format!("{name}@example.com")).unwrap();
        let new = NewAccount {
            email: Some(email),
            email_verified: true,
            password: None,
            profile: Profile::default(),
        };
        let account = accounts::create(&mut tx, &self.cx, &new).await.unwrap();
        let id = tenant_users::create(&mut tx, &self.cx, account, Some(name), &[]).await.unwrap();
        let person = tenant_users::find(&mut tx, id).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        person
    }

    pub async fn app(&self, tenant: TenantId, handle: &str) -> App {
        let mut tx = self.db.begin(tenant).await.unwrap();
        let configuration = json!({ "name": handle, "token_endpoint_auth_method": "none" });
        let configuration = serde_json::from_value(configuration).unwrap();
        let app = apps::create(
            &mut tx,
            &self.cx,
            &rules(),
            handle,
            apps::NewApp { configuration: &configuration, secret: None },
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
        app
    }
}

/// Distinct per test and run, so that schemas of one server do not meet.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher as _, Hasher as _};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

/// Rules of a deployment that has only the authorization code grant.
pub fn rules() -> Rules {
    let code = GrantType {
        name: "authorization_code",
        label: "authorization_code",
        capability: None,
        is_confidential: false,
        may_be_self_registered: true,
        needs_person: true,
        needed: &[],
        parameters: &[],
    };
    Rules::new([code], &[])
}
