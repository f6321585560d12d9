//! A tenant with signing keys of its own: announced, rotated and ended like the deployment's, and worth nothing at any other tenant.

use std::collections::BTreeSet;

use serde_json::Value;
use svc_core::TenantId;
use svc_db::{SystemSql, args};
use svc_domain::keys::tenant_keys;
use svc_domain::tenancy::tenants::{self, NewTenant};
use svc_http::Method;
use svc_keys::{Algorithm, Jws, KeySet, Typ};

use super::userinfo;
use crate::harness::client::{Tokens, claims};
use crate::harness::{Client, Harness, Person, Site};

const DAY: i64 = 86_400;
const ROUTE: &str = "/api/v1/applications";

/// Lets a tenant sign with keys of its own, or with the deployment's again.
pub async fn want(site: &Site<'_>, own_signing_keys: bool) {
    let (tenant, cx) = (&site.tenant, site.harness.operator());
    let mut settings = tenant.settings.clone();
    settings.own_signing_keys = own_signing_keys;
    let (slug, name, custom_domain) =
        (tenant.slug.clone(), tenant.name.clone(), tenant.custom_domain.clone());
    let mut tx = site.harness.app().db.begin_system().await.unwrap();
    let new = NewTenant { slug, name, custom_domain, settings };
    assert!(tenants::update(&mut tx, &cx, tenant.id, &new).await.unwrap());
    tx.commit().await.unwrap();
    site.harness.run_jobs().await;
}

/// Destroys the keys of a tenant; returns how many there were.
pub async fn destroy(h: &Harness, tenant: TenantId) -> u64 {
    let (app, cx) = (h.app(), h.operator());
    let mut tx = app.db.begin_system().await.unwrap();
    let destroyed = tenant_keys::destroy(&mut tx, &cx, tenant).await.unwrap();
    tx.commit().await.unwrap();
    destroyed
}

async fn key_set(site: &Site<'_>) -> Value {
    site.get("/.well-known/jwks.json").await.expect(200).json()
}

async fn published(site: &Site<'_>) -> BTreeSet<String> {
    let set = key_set(site).await;
    set["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

/// The keys of the access token and the ID token, each verified by a key set.
fn verified(tokens: &Tokens, set: &Value) -> Option<BTreeSet<String>> {
    let set = KeySet::from_json(set).unwrap();
    let signed = [(tokens.access_token(), Typ::AccessToken), (tokens.id_token(), Typ::Jwt)];
    let kid = |(token, typ): (&str, Typ)| {
        let jws = Jws::parse(token, typ.algorithms()).unwrap();
        set.verify(&jws).ok().map(|_| jws.kid().unwrap().to_owned())
    };
    signed.into_iter().map(kid).collect()
}

/// Two tenants, of which the second signs with keys of its own since now.
struct World<'h> {
    main: Site<'h>,
    acme: Site<'h>,
    app: Client<'h>,
    ada: Person,
}

impl<'h> World<'h> {
    /// The keys are announced and do not sign yet.
    async fn announced(h: &'h Harness) -> Self {
        let (main, acme) = (h.tenant("main").await, h.tenant("acme").await);
        let (app, ada) = (acme.app("web").await, acme.user("ada").await);
        want(&acme, true).await;
        Self { main, acme, app, ada }
    }

    /// They sign, and nothing that the deployment's keys have signed is valid any more.
    async fn settled(h: &'h Harness) -> Self {
        let world = Self::announced(h).await;
        h.advance(2 * DAY);
        h.run_jobs().await;
        world
    }

    async fn tokens(&self) -> Tokens {
        self.app.tokens(&self.ada).await
    }
}

#[tokio::test]
async fn own_keys_are_published_for_a_day_before_they_sign_and_only_by_their_tenant() {
    let h = Harness::new().await;
    let world = World::announced(&h).await;
    let (shared, announced) = (published(&world.main).await, key_set(&world.acme).await);
    let all = published(&world.acme).await;
    assert!(all.is_superset(&shared) && all.len() == 2 * shared.len(), "{all:?}");
    h.advance(DAY - 60);
    let old = world.tokens().await;
    assert!(verified(&old, &announced).unwrap().is_subset(&shared));
    h.advance(60);
    h.run_jobs().await;
    let new = world.tokens().await;
    assert!(verified(&new, &announced).unwrap().is_disjoint(&shared), "a key that was announced signs");
    for tokens in [&old, &new] {
        let _ = userinfo(&world.acme, tokens.access_token()).await.expect(200);
    }
    h.advance(DAY);
    h.run_jobs().await;
    assert!(published(&world.acme).await.is_disjoint(&shared), "what the others signed has expired");
    assert_eq!(published(&world.main).await, shared, "no other tenant has seen any of it");
}

#[tokio::test]
async fn a_key_of_one_tenant_signs_nothing_for_another() {
    let h = Harness::new().await;
    let world = World::settled(&h).await;
    let tokens = world.tokens().await;
    assert_eq!(verified(&tokens, &key_set(&world.main).await), None);
    let _ = userinfo(&world.main, tokens.access_token()).await.expect_problem(401, "invalid_token");
    // The right claims of each tenant, signed by the key of the other.
    for (site, signer) in [(&world.main, &world.acme), (&world.acme, &world.main)] {
        let good = site.mint(|_| ());
        let _ = site.call(Method::GET, ROUTE, Some(&good), None).await.expect(200);
        let ring = h.app().services.keys.ring(signer.tenant.id);
        let key = ring.held(Algorithm::Es256).unwrap();
        let forged = key.sign(Typ::AccessToken, claims(&good).to_string().as_bytes()).unwrap();
        let _ = site.call(Method::GET, ROUTE, Some(&forged), None).await.expect_problem(401, "unauthorized");
    }
}

#[tokio::test]
async fn clients_verify_through_two_rotations_with_a_key_set_of_the_day_before() {
    let h = Harness::new().await;
    let world = World::settled(&h).await;
    let shared = published(&world.main).await;
    let mut before = verified(&world.tokens().await, &key_set(&world.acme).await).unwrap();
    for _ in 0..2 {
        h.advance(29 * DAY);
        h.run_jobs().await;
        let (set, old) = (key_set(&world.acme).await, world.tokens().await);
        h.advance(DAY);
        h.run_jobs().await;
        let now = verified(&world.tokens().await, &set).unwrap();
        assert!(now.is_disjoint(&before), "another key signs");
        assert!(verified(&old, &key_set(&world.acme).await).is_some(), "what the old one signed verifies on");
        assert!(published(&world.acme).await.is_disjoint(&shared), "it is never one of the deployment");
        before = now;
    }
}

#[tokio::test]
async fn a_tenant_goes_back_to_the_keys_of_the_deployment_with_notice() {
    let h = Harness::new().await;
    let world = World::settled(&h).await;
    let shared = published(&world.main).await;
    let own = verified(&world.tokens().await, &key_set(&world.acme).await).unwrap();
    want(&world.acme, false).await;
    let announced = key_set(&world.acme).await;
    h.advance(DAY - 60);
    let old = world.tokens().await;
    assert_eq!(verified(&old, &announced).unwrap(), own, "its own keys sign for a day");
    h.advance(60);
    h.run_jobs().await;
    let new = verified(&world.tokens().await, &announced).unwrap();
    assert!(new.is_subset(&published(&world.main).await), "the deployment's sign, which were announced");
    let _ = userinfo(&world.acme, old.access_token()).await.expect(200);
    h.advance(DAY + 1);
    h.run_jobs().await;
    assert!(published(&world.acme).await.is_disjoint(&own) && published(&world.acme).await == shared);
    // Wanted once more before the old ones are swept away, each line begins again.
    want(&world.acme, true).await;
    let all = published(&world.acme).await;
    assert!(all.is_superset(&shared) && all.is_disjoint(&own) && all.len() == 2 * shared.len(), "{all:?}");
}

#[tokio::test]
async fn a_key_that_is_withdrawn_does_not_bring_the_deployments_keys_back() {
    let h = Harness::new().await;
    let world = World::settled(&h).await;
    let shared = published(&world.main).await;
    let withdrawn = verified(&world.tokens().await, &key_set(&world.acme).await).unwrap();
    let (app, cx) = (h.app(), h.operator());
    for kid in &withdrawn {
        app.services.keys.withdraw(&app.db, &cx, kid).await.unwrap();
    }
    h.advance(1);
    h.run_jobs().await;
    assert!(
        published(&world.acme).await.is_disjoint(&shared),
        "a token verifies by the tenant's own keys only"
    );
    let now = verified(&world.tokens().await, &key_set(&world.acme).await).unwrap();
    assert!(now.is_disjoint(&withdrawn) && now.is_disjoint(&shared), "{now:?}");
}

#[tokio::test]
async fn destroying_a_tenants_keys_ends_what_its_own_have_signed() {
    let h = Harness::new().await;
    let world = World::settled(&h).await;
    let (tokens, at_main) = (world.tokens().await, world.main.mint(|_| ()));
    assert!(destroy(&h, world.acme.tenant.id).await >= 3);
    let _ = userinfo(&world.acme, tokens.access_token()).await.expect_problem(401, "invalid_token");
    let _ = world.main.call(Method::GET, ROUTE, Some(&at_main), None).await.expect(200);
    let mut tx = h.app().db.read_system().await.unwrap();
    let kept = SystemSql::new("SELECT kid FROM signing_keys WHERE of_tenant IS NOT NULL");
    assert_eq!(tx.all(kept, args![]).await.unwrap().len(), 0);
    let told =
        SystemSql::new("SELECT DISTINCT tenant_id FROM audit_log WHERE action = 'signing_key.withdrawn'");
    let told = tx.all(told, args![]).await.unwrap();
    let told: Vec<_> = told.iter().map(|row| row.text("tenant_id").unwrap()).collect();
    assert_eq!(told, [world.acme.tenant.id.to_string()], "it concerns no other tenant");
}
