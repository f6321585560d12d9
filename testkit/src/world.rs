//! A migrated database with a clock that stands still, and what a test puts into it.

use std::pin::Pin;
use std::sync::Arc;

use serde_json::json;
use svc_config::Config;
use svc_core::{Actor, Cx, ManualClock, Result, SeededEntropy, TenantId, Timestamp};
use svc_db::{Db, Tenant, Tx};
use svc_domain::Services;
use svc_domain::apps::{self, App, GrantType, NewApp, Rules};
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::tenant_users::{self, NewMember, Person};
use svc_domain::tenancy::tenants::{self, NewTenant, TenantSettings};

use crate::Database;

/// When tests begin that do not say otherwise: 2027-01-15T08:00:00Z.
pub const START: Timestamp = Timestamp::from_secs(1_800_000_000);

/// Everything below the web kit that a test needs.
pub struct World {
    /// The database, its schema current.
    pub db: Db,
    /// Moves only when the test moves it.
    pub clock: Arc<ManualClock>,
    /// Repeats from run to run.
    pub entropy: Arc<SeededEntropy>,
    /// The context of the service itself, at the start.
    pub cx: Cx,
    /// Goes with the world.
    _database: Database,
}

/// One of several attempts at the same thing.
pub type Act<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

impl World {
    /// A world at [`START`].
    pub async fn new() -> Self {
        Self::at(START).await
    }

    /// A world at another time.
    pub async fn at(now: Timestamp) -> Self {
        let database = Database::pooled().await;
        let entropy = Arc::new(SeededEntropy::new(7));
        let cx = Cx {
            now,
            entropy: entropy.clone(),
            actor: Actor::System("test"),
            request_id: "req-test".to_owned(),
            client_ip: None,
        };
        let (db, clock) = (database.db.clone(), Arc::new(ManualClock::new(now)));
        Self { db, clock, entropy, cx, _database: database }
    }

    /// The services of a process, under a keyring of its own.
    pub async fn services(&self, config: &Config) -> Services {
        let keyring = crate::keyring(&*self.entropy, self.cx.now);
        Services::start(&self.db, config, &self.cx, keyring.into()).await.unwrap()
    }

    /// A tenant, called like its slug.
    pub async fn tenant(&self, slug: &str) -> TenantId {
        self.tenant_with(slug, |_| ()).await
    }

    /// The same with changes.
    pub async fn tenant_with(&self, slug: &str, change: impl FnOnce(&mut NewTenant)) -> TenantId {
        let mut new = NewTenant {
            slug: slug.to_owned(),
            name: slug.to_owned(),
            custom_domain: None,
            settings: TenantSettings::default(),
        };
        change(&mut new);
        let mut tx = self.db.begin_system().await.unwrap();
        let id = tenants::create(&mut tx, &self.cx, &new).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    /// A member of a tenant with the proven address `<name>@example.com`.
    pub async fn person(&self, tenant: TenantId, name: &str) -> Person {
        self.person_with(tenant, name, |_| ()).await
    }

    /// The same with changes to the account.
    pub async fn person_with(
        &self,
        tenant: TenantId,
        name: &str,
        change: impl FnOnce(&mut NewAccount),
    ) -> Person {
        let mut new = NewAccount {
            email: Some(Email::parse(&format!("{name}@example.com")).unwrap()),
            email_verified: true,
            password: None,
            profile: Profile::default(),
        };
        change(&mut new);
        let mut tx = self.db.begin(tenant).await.unwrap();
        let account = accounts::create(&mut tx, &self.cx, &new).await.unwrap();
        let new = NewMember { username: Some(name), ..NewMember::of(account) };
        let id = tenant_users::create(&mut tx, &self.cx, new).await.unwrap();
        let person = tenant_users::find(&mut tx, id).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        person
    }

    /// A public application of a deployment that has only the authorization code grant.
    pub async fn app(&self, tenant: TenantId, handle: &str) -> App {
        let configuration = json!({ "name": handle, "token_endpoint_auth_method": "none" });
        let configuration = serde_json::from_value(configuration).unwrap();
        let new = NewApp { configuration: &configuration, secret: None };
        self.app_with(tenant, &rules(), handle, new).await
    }

    /// Any application.
    pub async fn app_with(&self, tenant: TenantId, rules: &Rules, handle: &str, new: NewApp<'_>) -> App {
        let mut tx = self.db.begin(tenant).await.unwrap();
        let app = apps::create(&mut tx, &self.cx, rules, handle, new).await.unwrap();
        tx.commit().await.unwrap();
        app
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
}

/// A configuration with these settings, written like environment variables.
pub fn config(settings: &[(&str, &str)]) -> Config {
    let env: Vec<_> =
        settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Config::load(None, &env).unwrap_or_else(|faults| panic!("{faults}"))
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
