//! Applications that sign: `private_key_jwt`, their keys inline or at an address (N21, N22, N51).

mod assertions;
mod audiences;
mod fetched;
mod inline;
mod registration;
pub mod signer;

use serde_json::{Value, json};
use svc_domain::apps::{AuthMethod, Configuration, Profile};
use svc_keys::Algorithm;

use self::signer::Signer;
use crate::harness::client::Pairs;
use crate::harness::{Answer, Client, Site};

/// An application that authenticates with a signature.
#[derive(Clone)]
pub struct Keyed<'h> {
    pub client: Client<'h>,
    pub signer: Signer,
}

const TYPE: (&str, &str) =
    ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
/// A request that needs nothing but authentication to get to `invalid_grant`.
const NOTHING: Pairs<'static> = &[("grant_type", "refresh_token"), ("refresh_token", "x")];

impl<'h> Keyed<'h> {
    pub async fn new(site: &Site<'h>, handle: &str, algorithm: Algorithm) -> Self {
        Self::with(site, handle, algorithm, |_| ()).await
    }

    /// The same under the profile `fapi2`.
    pub async fn strict(site: &Site<'h>, handle: &str, algorithm: Algorithm) -> Self {
        Self::with(site, handle, algorithm, |configuration| configuration.profile = Profile::Fapi2).await
    }

    pub async fn with(
        site: &Site<'h>,
        handle: &str,
        algorithm: Algorithm,
        change: impl FnOnce(&mut Configuration),
    ) -> Self {
        let signer = Signer::new(algorithm);
        let client = site.app_with(handle, |configuration| {
            configuration.token_endpoint_auth_method = AuthMethod::PrivateKeyJwt;
            configuration.jwks = Some(signer.jwks());
            change(configuration);
        });
        Self { client: client.await, signer }
    }

    /// The claims that an honest client writes.
    pub fn claims(&self) -> Value {
        let harness = self.client.site.harness;
        let now = harness.operator().now.as_secs();
        json!({
            "iss": self.client.id, "sub": self.client.id, "aud": self.client.site.issuer(),
            "jti": svc_keys::token(&*harness.app().entropy), "iat": now, "nbf": now, "exp": now + 60,
        })
    }

    /// An assertion with changes to its claims; null takes one away.
    pub fn assertion(&self, changes: &[(&str, Value)]) -> String {
        self.signer.sign(&self.signer.header(), &changed(self.claims(), changes))
    }

    /// A form with an assertion.
    pub async fn post(&self, path: &str, form: Pairs<'_>, assertion: &str) -> Answer {
        let mut changes = form.to_vec();
        changes.extend([TYPE, ("client_assertion", assertion)]);
        self.client.post(path, &[], &changes).await
    }

    /// The same with a fresh, honest one.
    pub async fn post_honestly(&self, path: &str, form: Pairs<'_>) -> Answer {
        self.post(path, form, &self.assertion(&[])).await
    }

    /// Whether an assertion authenticates.
    #[track_caller]
    pub fn tries(&self, assertion: &str) -> impl Future<Output = bool> {
        let (keyed, assertion) = (self.clone(), assertion.to_owned());
        async move {
            let answer = keyed.post("/oauth/token", NOTHING, &assertion).await;
            if answer.status == 401 {
                assert_eq!(answer.json()["error"], "invalid_client", "{answer:?}");
                false
            } else {
                assert_eq!(answer.status, 400, "{answer:?}");
                true
            }
        }
    }
}

/// An object with some members changed; null takes one away.
pub fn changed(mut object: Value, changes: &[(&str, Value)]) -> Value {
    let members = object.as_object_mut().unwrap();
    for (name, value) in changes {
        if value.is_null() {
            members.remove(*name);
        } else {
            members.insert((*name).to_owned(), value.clone());
        }
    }
    object
}
