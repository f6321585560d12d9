//! `/.well-known/authzen-configuration`: where the decision API is (`AuthZEN` 1.0 §9).

use serde::Serialize;
use svc_core::OrInternal as _;
use svc_http::{Cors, HostCx, Problem, Route, StaticDocument};
use utoipa::ToSchema;

/// The metadata of the policy decision point.
#[derive(Serialize, ToSchema)]
#[schema(as = DecisionPointMetadata)]
struct Metadata<'a> {
    /// The tenant's issuer.
    policy_decision_point: &'a str,
    /// The endpoint for one question.
    access_evaluation_endpoint: String,
    /// The endpoint for several questions at once.
    access_evaluations_endpoint: String,
    /// The endpoint for searches of subjects.
    search_subject_endpoint: String,
    /// The endpoint for searches of resources.
    search_resource_endpoint: String,
    /// The endpoint for searches of actions.
    search_action_endpoint: String,
}

pub(super) fn route() -> Route {
    Route::get("/.well-known/authzen-configuration")
        .public("published metadata", metadata)
        .cors(Cors::anyone())
        .tag("Access decisions")
        .summary("Metadata of the policy decision point")
        .returns::<Metadata<'static>>(200)
}

async fn metadata(host: HostCx) -> Result<StaticDocument, Problem> {
    let document = || {
        let issuer = host.tenant.issuer.as_str();
        let at = |path: &str| format!("{issuer}/access/v1/{path}");
        let metadata = Metadata {
            policy_decision_point: issuer,
            access_evaluation_endpoint: at("evaluation"),
            access_evaluations_endpoint: at("evaluations"),
            search_subject_endpoint: at("search/subject"),
            search_resource_endpoint: at("search/resource"),
            search_action_endpoint: at("search/action"),
        };
        serde_json::to_string(&metadata).or_internal()
    };
    Ok(host.document("decision point", &[], document)?)
}
