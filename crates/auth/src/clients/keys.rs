//! The keys that applications sign with: registered inline, or fetched from their `jwks_uri` (RFC 7517 §5, RFC 7591 §2).

use std::sync::Arc;
use std::time::Duration;

use svc_core::{AppId, Error, Result, Seconds, TenantRef, Timestamp};
use svc_domain::apps::App;
use svc_domain::memory::{self, Kept};
use svc_http::{ChosenBy, HostCx, Limits};
use svc_keys::{Claims, Jws, KeySet};
use tokio::sync::Mutex;

/// Key sets in memory. What was fetched by the word of the operator is in no set that a tenant asks for, and the other way round.
pub struct ClientKeys {
    inline: Kept<(AppId, i64), Arc<KeySet>>,
    fetched: Kept<(TenantRef, ChosenBy, String), Arc<Mutex<Fetched>>>,
}

/// The set at an address as it was found there: for a transaction, in which nothing is fetched and no fetch waited for.
pub struct Published {
    uri: String,
    set: Arc<KeySet>,
}

/// What the last fetches of one address brought; locked while one is under way, so that there is never a second.
#[derive(Default)]
struct Fetched {
    set: Option<(Arc<KeySet>, Timestamp)>,
    quiet_until: Option<Timestamp>,
}

/// Whether a set has the key or the certificate that is looked for.
type Sought<'a> = &'a (dyn Fn(&KeySet) -> bool + Sync);

/// Most bytes of sets in memory, of either kind.
const KEPT: u64 = 16 << 20;
/// About how many bytes a set takes: a few keys.
const SET: usize = 2048;
/// How long a set is kept whose server does not say.
const USUAL_LIFE: Seconds = Seconds(300);
/// Whatever its server says: no less, so that a client cannot make us a load generator, and no more, so that a withdrawn key ends.
const SHORTEST_LIFE: i64 = 60;
const LONGEST_LIFE: i64 = 3600;
/// How long a set that was asked for again is believed to be complete, although a token names another key.
const PAUSE: Seconds = Seconds(10);
/// How long an address is left alone that gave nothing usable.
const PAUSE_AFTER_FAILURE: Seconds = Seconds(30);

impl Default for ClientKeys {
    fn default() -> Self {
        let longest = Duration::from_secs(LONGEST_LIFE.unsigned_abs());
        Self {
            inline: memory::bounded(KEPT, |_, _| SET),
            fetched: memory::bounded_for(longest, KEPT, |(_, _, uri), _| SET + uri.len()),
        }
    }
}

/// The claims of a token that one of the application's keys verifies.
pub async fn verified(host: &HostCx, app: &App, jws: &Jws<'_>) -> Result<Claims> {
    set_of(host, app, &|set| set.knows(jws)).await?.verify(jws)
}

/// Whether the application published the certificate with this thumbprint.
pub(super) async fn has_certificate(host: &HostCx, app: &App, thumbprint: &str) -> Result<bool> {
    let set = set_of(host, app, &|set| set.has_certificate(thumbprint)).await?;
    Ok(set.has_certificate(thumbprint))
}

/// The application's set: its own, or the one at its address, asked for again where it is not what is looked for.
async fn set_of(host: &HostCx, app: &App, is_sought: Sought<'_>) -> Result<Arc<KeySet>> {
    let keys = host.app.part::<ClientKeys>()?;
    if let Some(jwks) = &app.configuration.jwks {
        let key = (app.id, app.version);
        if let Some(set) = keys.inline.get(&key) {
            return Ok(set);
        }
        let set = Arc::new(KeySet::from_json(jwks)?);
        keys.inline.insert(key, Arc::clone(&set));
        return Ok(set);
    }
    let uri = app.configuration.jwks_uri.as_deref();
    let uri = uri.ok_or_else(|| Error::invalid_client("the application has no keys"))?;
    keys.at(host, (ChosenBy::Tenant, uri), is_sought).await
}

impl Published {
    /// The set, where it was found at `uri`.
    pub fn of(&self, uri: &str) -> Option<&KeySet> {
        (self.uri == uri).then_some(&*self.set)
    }
}

impl ClientKeys {
    /// The set at `uri`, which is there by the word of one, that may hold the key of a token.
    pub async fn published(
        &self,
        host: &HostCx,
        (chosen_by, uri): (ChosenBy, String),
        jws: &Jws<'_>,
    ) -> Result<Published> {
        let set = self.at(host, (chosen_by, &uri), &|set| set.knows(jws)).await?;
        Ok(Published { uri, set })
    }

    /// The set at `uri`, asked for again where the known set lacks what is looked for.
    async fn at(
        &self,
        host: &HostCx,
        (chosen_by, uri): (ChosenBy, &str),
        is_sought: Sought<'_>,
    ) -> Result<Arc<KeySet>> {
        let key = (host.tenant.id.reference(), chosen_by, uri.to_owned());
        let slot = self.fetched.get_or_insert(&key, Arc::default());
        let mut slot = slot.lock().await;
        let now = host.app.clock.now();
        let known = slot.set.as_ref().filter(|(_, until)| *until > now).map(|(set, _)| Arc::clone(set));
        if let Some(set) = known.as_ref().filter(|set| is_sought(set)) {
            return Ok(Arc::clone(set));
        }
        if slot.quiet_until.is_some_and(|until| until > now) {
            return known.ok_or_else(unavailable);
        }
        match fetch(host, (chosen_by, uri)).await {
            Ok((set, life)) => {
                // A set that was not known before may lack a key that follows at once.
                slot.quiet_until = known.map(|_| now + PAUSE);
                slot.set = Some((Arc::clone(&set), now + life));
                Ok(set)
            }
            Err(error) => {
                tracing::debug!(request_id = host.cx.request_id, ?error, "a key set could not be fetched");
                slot.quiet_until = Some(now + PAUSE_AFTER_FAILURE + jitter(host));
                known.ok_or_else(unavailable)
            }
        }
    }
}

async fn fetch(host: &HostCx, (chosen_by, uri): (ChosenBy, &str)) -> Result<(Arc<KeySet>, Seconds)> {
    let answer = host.app.outbound_to_providers(chosen_by).get(uri, Limits::default()).await?;
    if !answer.is_document() {
        return Err(Error::invalid_client(format!("jwks_uri answered with status {}", answer.status)));
    }
    let set = KeySet::parse(&answer.body)?;
    let life = answer.max_age.unwrap_or(USUAL_LIFE).0.clamp(SHORTEST_LIFE, LONGEST_LIFE);
    Ok((Arc::new(set), Seconds(life)))
}

/// Up to 15 seconds, so that nodes do not ask a recovering server all at once.
fn jitter(host: &HostCx) -> Seconds {
    let mut random = [0];
    host.cx.entropy.fill(&mut random);
    Seconds(i64::from(random[0]) / 17)
}

#[track_caller]
fn unavailable() -> Error {
    Error::invalid_client("the application's jwks_uri gives no usable keys")
}
