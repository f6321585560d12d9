//! `/api/v1/hooks`: receivers that are asked before something happens, and may refuse it or add to it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use svc_core::{AppId, Error, HookId, OrInternal as _, Result, Scope, Secret, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::Level;
use svc_domain::hooks::{self, Added, Answerer, Configuration, Hook, Input, New, Point, Verdict};
use svc_http::hooks::{Call, call, most};
use svc_http::{IfMatch, Json, Path, Problem, Query, TenantCx};
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::record::{self, Record};
use crate::resource::Resource;
use crate::rotation::Rotation;
use crate::{privileges, sealer, unknown};

/// The address of a person who does not exist.
const EMAIL: &str = "test@hook.example";

/// A new hook.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewHook, examples(json!({ "point": "pre_token", "url": "https://receiver.example/hooks/pre-token", "on_failure": "deny" })))]
pub(crate) struct WantedHook {
    #[serde(flatten)]
    configuration: Configuration,
    /// The secret that signs its calls, at least 32 random bytes as text; without it one is made and is in the answer, once. A
    /// module has none.
    #[serde(default)]
    #[schema(value_type = Option<String>, max_length = 256)]
    secret: Option<Secret>,
}

/// A hook as it has just been created.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedHook {
    #[serde(flatten)]
    hook: Hook,
    /// Shown this once; absent where the caller brought its own, and where a module answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret: Option<String>,
}

/// A secret, shown this once.
#[derive(Debug, Serialize, ToSchema)]
struct HookSecret {
    /// Signs calls from now on.
    secret: String,
    /// Until when calls are signed with the former one too; null if it ended at once.
    #[schema(value_type = Option<String>, format = "date-time")]
    former_expires_at: Option<Timestamp>,
}

/// A test call with sample data, and its result.
#[derive(Debug, Serialize, ToSchema)]
struct HookTrial {
    /// What was sent.
    request: HookRequest,
    /// The answer; null where there was no complete one in time.
    response: Option<HookResponse>,
    /// How many milliseconds that took.
    took_ms: u64,
    /// `allow`, `deny` or `require_factor`; null where the answer is not valid.
    verdict: Option<&'static str>,
    /// Why, if it says so.
    message: Option<String>,
    /// The claims that would be added; null where the answer is not valid.
    #[schema(value_type = Option<Object>)]
    claims: Option<Added>,
    /// Why there is no valid answer, so that `on_failure` would count; null where there is one.
    fault: Option<String>,
}

/// What was sent to a hook.
#[derive(Debug, Serialize, ToSchema)]
struct HookRequest {
    /// The headers that say what it is and who signed it, by name; none to a module.
    headers: BTreeMap<String, String>,
    /// The body.
    #[schema(value_type = Object)]
    body: serde_json::Value,
}

/// What a hook answered.
#[derive(Debug, Serialize, ToSchema)]
struct HookResponse {
    /// The status; null of a module.
    status: Option<u16>,
    /// The body as text, without the secrets of the hook.
    body: String,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only those of this point.
    #[param(inline, nullable = false)]
    point: Option<Point>,
    /// Only active hooks, or only inactive ones.
    #[param(nullable = false)]
    is_active: Option<bool>,
}

impl Filter {
    fn fits(&self, hook: &Hook) -> bool {
        let Configuration { point, is_active, .. } = hook.configuration;
        self.point.is_none_or(|wanted| wanted == point)
            && self.is_active.is_none_or(|wanted| wanted == is_active)
    }
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("hooks", "Hooks")
        .may_read("See who is asked before people register or sign in here, and before tokens are issued")
        .may_write("Choose who is asked before people register or sign in here, and before tokens are issued")
        .crud::<Hook>()
        .post(
            "{id}/secret",
            "Replace the secret of a hook; the former one signs as well for a while",
            rotate_secret,
        )
        .post("{id}/test", "Test a hook by a call with sample data", test)
}

impl Record for Hook {
    const ONE: &'static str = "a hook";
    const MANY: &'static str = "hooks";

    type Stored = Self;
    type Id = HookId;
    type Filter = Filter;
    type New = WantedHook;
    type Created = CreatedHook;
    type Change = Configuration;

    fn head(hook: &Self) -> (HookId, i64) {
        (hook.id, hook.version)
    }

    fn present(hook: &Self) -> Configuration {
        hook.configuration.clone()
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<HookId>,
    ) -> Result<Vec<Self>> {
        hooks::list(tx, page.by_id(), |hook| filter.fits(hook)).await
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: HookId) -> Result<Option<Self>> {
        hooks::find(tx, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: WantedHook) -> Result<(Self, CreatedHook)> {
        check(caller, &new.configuration)?;
        // The transaction begins with its first statement, so that the key of the tenant can be made before it.
        let sealer = sealer(caller).await?;
        let most = caller.app.config.hooks.max_per_tenant;
        let wanted = New { configuration: &new.configuration, secret: new.secret.as_ref(), most };
        let (hook, secret) = hooks::create(tx, caller, &sealer, wanted).await?;
        Ok((hook.clone(), CreatedHook { hook, secret }))
    }

    async fn update(caller: &TenantCx, tx: &mut Tx<Tenant>, hook: Self, wanted: Configuration) -> Result<()> {
        check(caller, &wanted)?;
        hooks::update(tx, caller, &hook, &wanted).await?;
        Ok(())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, hook: Self) -> Result<()> {
        hooks::delete(tx, caller, hook.id).await
    }
}

async fn rotate_secret(
    caller: TenantCx,
    Path(id): Path<HookId>,
    Query(rotation): Query<Rotation>,
    if_match: IfMatch,
) -> Result<Json<HookSecret>, Problem> {
    let sealer = sealer(&caller).await?;
    let (mut tx, held) = record::begin(&caller, &id).await?;
    let hook = hooks::find(&mut tx, id).await?.ok_or_else(unknown)?;
    if_match.check(held, hook.version)?;
    let overlap = rotation.overlap()?;
    let (secret, former_expires_at) = hooks::rotate(&mut tx, &caller, &sealer, &hook, overlap).await?;
    tx.commit().await?;
    Ok(Json(HookSecret { secret, former_expires_at }))
}

async fn test(caller: TenantCx, Path(id): Path<HookId>) -> Result<Json<HookTrial>, Problem> {
    let mut tx = caller.begin().await?;
    let hook = hooks::find(&mut tx, id).await?.ok_or_else(unknown)?;
    hooks::note_test(&mut tx, &caller, id).await?;
    tx.commit().await?;
    let body = made_up(&caller, &hook)?;
    let asked = (hook.configuration.point, &body);
    let made = call(&caller.app, (&caller.tenant, &caller), &hook, asked, most(&caller.app)).await?;
    Ok(Json(HookTrial::of(made, body)))
}

/// A question about an application and a person who do not exist.
fn made_up(caller: &TenantCx, hook: &Hook) -> Result<serde_json::Value> {
    let id: AppId = caller.cx.id();
    let (scope, amr) = (Scope::default(), ["pwd".to_owned()]);
    let input = Input {
        point: hook.configuration.point,
        time: caller.cx.now,
        tenant: caller.tenant.as_ref().into(),
        application: Some(hooks::AboutApplication { id, client_id: id.to_string(), name: "Test of a hook" }),
        subject: match hook.configuration.point {
            Point::PreToken => hooks::Subject::Application,
            Point::PreRegistration => {
                hooks::Subject::Registration { email: Some(EMAIL), chain_account: None }
            }
            Point::PostFirstFactor => sign_in(&amr),
        },
        organization: None,
        grant_type: (hook.configuration.point == Point::PreToken).then_some("client_credentials"),
        scope: &scope,
        audience: &caller.tenant.issuer,
    };
    serde_json::to_value(input).or_internal()
}

fn sign_in(amr: &[String]) -> hooks::Subject<'_> {
    hooks::Subject::SignIn(Box::new(hooks::AboutSignIn {
        id: None,
        username: None,
        email: Some(EMAIL),
        email_verified: true,
        roles: &[],
        groups: &[],
        public_metadata: None,
        acr: Level::Aal1.acr(),
        amr,
        has_second_factor: false,
        client_ip: None,
    }))
}

impl HookTrial {
    fn of(made: Call, body: serde_json::Value) -> Self {
        let Call { headers, took, status, answer, outcome } = made;
        let (answered, fault) = match outcome {
            Ok(answered) => (Some(answered), None),
            Err(fault) => (None, Some(fault)),
        };
        let verdict = answered.as_ref().map(|answered| match answered.verdict {
            Verdict::Allow => "allow",
            Verdict::Deny => "deny",
            Verdict::RequireFactor => "require_factor",
        });
        let (message, claims) = answered.map(|answered| (answered.message, answered.claims)).unzip();
        Self {
            request: HookRequest { headers: headers.into_iter().collect(), body },
            response: answer.map(|body| HookResponse { status, body }),
            took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            verdict,
            message: message.flatten(),
            claims,
            fault,
        }
    }
}

/// Refuses what the caller may not decide, and what will never be called, here, where an administrator reads the answer.
fn check(caller: &TenantCx, configuration: &Configuration) -> Result<()> {
    if configuration.point.takes_claims() {
        privileges::always(caller, "a hook, which adds claims to tokens of people")?;
    }
    let longest = caller.app.config.hooks.timeout_millis;
    if configuration.timeout_millis.is_some_and(|millis| !(100..=longest).contains(&millis)) {
        return Err(Error::bad_request(format!("timeout_millis: use 100 to {longest}, or leave it out")));
    }
    match configuration.answerer()? {
        Answerer::Address(url) => {
            // Its address learns who registers and who signs in; a module tells no one.
            privileges::for_scope(caller, &"tenant-users:read".parse::<Scope>()?)?;
            let outcome = caller.app.outbound.to_receivers(&caller.app.config).check(url);
            outcome.map_err(|error| Error::bad_request(format!("url: {}", error.detail())))
        }
        // Whether the tenant has it is known in the transaction.
        Answerer::Module(_) => Ok(()),
    }
}
