//! Asks the application of a target what it can do (RFC 7643 §5), and whether it takes the token.

use serde::Serialize;
use serde_json::Value;
use svc_core::{Result, ScimTargetId};
use svc_domain::delivery::scim_targets::{self, Access, UpdateWith};
use svc_http::{Fetched, Json, Method, Path, Problem, ScimApplication, ScimToken, ScimTokens, TenantCx};
use utoipa::ToSchema;

use super::{check, find};
use crate::sealer;

/// The capabilities that an application reports.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = ScimTargetTrial)]
pub(super) struct Trial {
    /// Whether people can be pushed, as far as the application says.
    is_usable: bool,
    /// The problems that prevent or limit provisioning; empty where there are none.
    findings: Vec<String>,
    /// Whether accounts can be changed in part; null where the application does not say so.
    patch: Option<bool>,
    /// Whether accounts can be searched for, which finds those that were created without an answer.
    filter: Option<bool>,
    /// Whether many requests can be sent as one, which this service does not need.
    bulk: Option<bool>,
    /// Whether resources have versions.
    etag: Option<bool>,
    /// The authentication schemes that the application reports.
    authentication_schemes: Vec<String>,
}

/// Most schemes that are shown, and characters of one.
const MOST_SCHEMES: usize = 10;
const LONGEST: usize = 60;

pub(super) async fn test(caller: TenantCx, Path(id): Path<ScimTargetId>) -> Result<Json<Trial>, Problem> {
    let sealer = sealer(&caller).await?;
    let mut tx = caller.begin().await?;
    let target = find(&mut tx, id).await?;
    check(&caller, &target.configuration, None)?;
    scim_targets::note_test(&mut tx, &caller, &target).await?;
    let access = scim_targets::access(&tx, &target, &sealer);
    tx.commit().await?;
    let Ok(access) = access else { return Ok(Json(Trial::without_secret())) };
    Ok(Json(trial(&caller, access).await?))
}

async fn trial(caller: &TenantCx, access: Access) -> Result<Trial> {
    let patches = access.configuration.update_with == UpdateWith::Patch;
    let mut trial = Trial::default();
    let token = match ScimTokens::default().token(&caller.app, &access).await? {
        ScimToken::Given(token, _) => token,
        ScimToken::Refused(why) | ScimToken::Unanswered(why) => {
            trial.findings.push(why);
            return Ok(trial);
        }
    };
    let application = ScimApplication::new(&caller.app, access, token);
    match asked(&application, "ServiceProviderConfig").await {
        Ok(answer) => trial.read(&answer),
        Err(why) => trial.findings.push(format!("ServiceProviderConfig: {why}")),
    }
    trial.is_usable = true;
    if let Err(why) = asked(&application, "Users?count=1").await {
        trial.findings.push(format!("Users: {why}"));
        trial.is_usable = false;
    }
    if patches && trial.patch == Some(false) {
        let finding = "update_with: the application changes accounts as a whole only; use `put`";
        trial.findings.push(finding.to_owned());
        trial.is_usable = false;
    }
    if trial.filter == Some(false) {
        let finding =
            "filter: the application cannot search, so that accounts which are there already are not linked";
        trial.findings.push(finding.to_owned());
    }
    Ok(trial)
}

async fn asked(application: &ScimApplication, path: &str) -> std::result::Result<Fetched, String> {
    match application.send(Method::GET, path, None).await {
        Ok(answer) if answer.status.is_success() => Ok(answer),
        // What else the application says is not shown: the address may be that of a stranger.
        Ok(answer) => Err(format!("answered {}", answer.status.as_u16())),
        Err(error) => Err(error.detail().to_owned()),
    }
}

impl Trial {
    fn without_secret() -> Self {
        let finding = "secret: it cannot be opened, because its key was destroyed; give it again";
        Self { findings: vec![finding.to_owned()], ..Self::default() }
    }

    fn read(&mut self, answer: &Fetched) {
        let Ok(document) = serde_json::from_slice::<Value>(&answer.body) else {
            self.findings.push("ServiceProviderConfig: the answer is no JSON document".to_owned());
            return;
        };
        let supports = |name: &str| document.get(name)?.get("supported")?.as_bool();
        self.patch = supports("patch");
        self.filter = supports("filter");
        self.bulk = supports("bulk");
        self.etag = supports("etag");
        let schemes = document.get("authenticationSchemes").and_then(Value::as_array).into_iter().flatten();
        let types = schemes.filter_map(|scheme| scheme.get("type")?.as_str());
        let is_plain = |kind: &&str| {
            kind.len() <= LONGEST && kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        self.authentication_schemes = types.filter(is_plain).take(MOST_SCHEMES).map(str::to_owned).collect();
    }
}
