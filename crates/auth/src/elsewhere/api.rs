//! What waits for a person, for an application of their own to show and decide: what the APIs of devices (RFC 8628) and of
//! backchannel requests (OpenID CIBA) share.

use serde::Deserialize;
use svc_core::{Class, Error, OrganizationId, Result, SessionId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::Level;
use svc_domain::grants::grant::Authentication;
use svc_domain::people::sessions;
use svc_domain::people::tenant_users::Person;
use svc_domain::tokens::access_token::SubjectType;
use svc_http::{Json, NoContent, Path, Problem, Route, StepUp, TenantCx};
use utoipa::ToSchema;

use super::choice::{Answer, refusal};
use super::decide::{Decided, Decider, Desk, Insufficient, Polled, Remedy};
use crate::signin::complete::may_owe;
use crate::signin::{is_of_others, person_of_token};

/// What the routes ask for.
pub const SCOPE: &str = "identity:approve";

/// What an approval says besides.
pub const ABOUT_APPROVALS: &str = "A request with `organizations` needs one of them in the body; \
     for others it may be left out. Where the application or the organization demands a second factor, or a fresher sign-in \
     than the one behind the token, the answer is 401 with `insufficient_user_authentication`: send the person through an \
     authorization request with the `acr_values` or the `max_age` of the challenge.";

/// An application acts for a person here, and never for itself.
pub fn of_people(route: Route) -> Route {
    route.subject_types(&[SubjectType::Human]).tag("Approvals")
}

/// What goes with an approval.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Approval, examples(json!({ "organization_id": "org_01jd3x9k2mfa8t5v7w0q4r6s8y" })))]
pub struct Approved {
    /// The organization in which the tokens count: one of the `organizations` of the request, where it has any.
    #[schema(value_type = Option<String>)]
    organization_id: Option<OrganizationId>,
}

/// Allows a request as the person of the token.
pub async fn approve<I: Into<Polled>>(
    caller: TenantCx,
    Path(id): Path<I>,
    body: Option<Json<Approved>>,
) -> Result<NoContent, Problem> {
    let choice = body.and_then(|Json(approved)| approved.organization_id);
    decide(&caller, id.into(), Answer::Allow(choice)).await
}

/// Refuses one.
pub async fn deny<I: Into<Polled>>(caller: TenantCx, Path(id): Path<I>) -> Result<NoContent, Problem> {
    decide(&caller, id.into(), Answer::Deny).await
}

/// The record of a request that waits for the person who asks: of one kind it differs by its id, and by what the person compares.
macro_rules! waiting {
    ($schema:ident of $id:ty, $(#[doc = $about:literal])+ $compared:ident: $type:ty) => {
        /// A request that waits for the decision of the person who calls.
        #[derive(Debug, serde::Serialize, utoipa::ToSchema)]
        #[schema(as = $schema)]
        struct Waiting {
            /// The request.
            #[schema(value_type = String)]
            id: $id,
            /// Who asks.
            client_id: String,
            /// Their name.
            application: String,
            /// What is asked for.
            #[schema(value_type = String)]
            scope: svc_core::Scope,
            /// The API that the tokens are for.
            audience: String,
            /// The claims about the person that are asked for by name.
            claims: Vec<String>,
            $(#[doc = $about])+
            $compared: $type,
            /// The organization in which the tokens count.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schema(nullable = false)]
            org: Option<svc_domain::tokens::access_token::OrganizationContext>,
            /// The organizations of the person, where the tokens have to count in one and an approval says in which.
            #[serde(skip_serializing_if = "Vec::is_empty")]
            #[schema(required = false)]
            organizations: Vec<crate::authorize::organization::OwnOrganization>,
            /// What is asked for in detail.
            #[schema(value_type = Vec<Object>)]
            authorization_details: Vec<serde_json::Value>,
            /// The same as sentences.
            details: Vec<String>,
            /// When it was made.
            #[schema(value_type = String, format = "date-time")]
            created_at: svc_core::Timestamp,
            /// When it ends.
            #[schema(value_type = String, format = "date-time")]
            expires_at: svc_core::Timestamp,
        }

        impl Waiting {
            /// The record of a request; nothing where its parties are gone, so that there is nothing left to decide.
            async fn of(
                caller: &svc_http::TenantCx,
                tx: &mut svc_db::Tx<svc_db::Tenant>,
                (pending, member): (Pending, &mut crate::authorize::organization::Member<'_>),
            ) -> svc_core::Result<Option<Self>> {
                let desk = crate::elsewhere::decide::Desk { host: &caller.host() };
                let Some(parties) = desk.parties(tx, (pending.app, member), &pending.wanted, None).await? else {
                    return Ok(None);
                };
                let details = crate::elsewhere::shown::details(parties.api.as_deref(), &pending.wanted);
                Ok(Some(Self {
                    id: pending.id,
                    client_id: parties.app.client_id(),
                    application: parties.app.configuration.name.clone(),
                    claims: pending.wanted.claims.names().into_iter().map(str::to_owned).collect(),
                    org: parties.whereabouts.place().map(svc_domain::organizations::Place::context),
                    organizations: parties.choices().iter().cloned().map(Into::into).collect(),
                    details: details.iter().map(ToString::to_string).collect(),
                    scope: pending.wanted.scope,
                    audience: pending.wanted.audience,
                    $compared: pending.shown,
                    authorization_details: pending.wanted.authorization_details,
                    created_at: pending.created_at,
                    expires_at: pending.expires_at,
                }))
            }
        }
    };
}
pub(super) use waiting;

/// Refuses applications of others: one that could decide for the person would allow itself what the person was never asked.
pub async fn must_be_own(caller: &TenantCx) -> Result<()> {
    if is_of_others(caller).await? {
        return Err(Error::forbidden("only an application of the tenant's own decides for the person"));
    }
    Ok(())
}

async fn decide(caller: &TenantCx, polled: Polled, answer: Answer) -> Result<NoContent, Problem> {
    if answer.is_allowed() {
        must_be_own(caller).await?;
    }
    // Into memory first: nothing else is awaited while a transaction is open.
    may_owe(&caller.host()).await?;
    let mut tx = caller.begin().await?;
    let person = person_of_token(caller, &mut tx).await?;
    let authentication = authentication(caller, &mut tx, &person).await?;
    let by = Decider { person: &person, authentication: &authentication };
    let desk = Desk { host: &caller.host() };
    match desk.decide(&mut tx, polled, &by, answer).await? {
        Decided::Settled => {}
        Decided::Unchosen(places) => return Err(refusal(answer, &places).into()),
        Decided::Insufficient(insufficient) => return Err(sign_in_again(caller, *insufficient)),
    }
    tx.commit().await?;
    Ok(NoContent)
}

/// The refusal of a sign-in that is not enough: where another level or a fresher one would be, with the challenge that asks for it.
fn sign_in_again(caller: &TenantCx, Insufficient { error, remedy }: Insufficient) -> Problem {
    let wanted = match remedy {
        Remedy::SecondFactor => StepUp::To(Level::Aal2),
        Remedy::SignIn { max_age: Some(longest), .. } => StepUp::Within(longest),
        Remedy::SignIn { max_age: None, .. } => return error.into(),
    };
    caller.sign_in_again(error.reclass(Class::Unauthorized), wanted)
}

/// How the person signed in, as their session or else their token has it.
async fn authentication(caller: &TenantCx, tx: &mut Tx<Tenant>, person: &Person) -> Result<Authentication> {
    let claims = &caller.claims;
    let session: Option<SessionId> = claims.sid.as_deref().and_then(|sid| sid.parse().ok());
    if let Some(session) = session
        && let Some(authentication) = sessions::authentication(tx, session, person.id).await?
    {
        return Ok(authentication);
    }
    // Tokens for an assertion of another issuer say nothing of how their person signed in.
    let Some(acr) = claims.acr.clone() else {
        return Err(Error::forbidden(
            "no sign-in of the person is behind this token; sign in, and decide again",
        ));
    };
    Ok(Authentication {
        acr,
        session: session.unwrap_or_else(|| caller.cx.id()),
        auth_time: Timestamp::from_secs(claims.auth_time.unwrap_or(claims.iat)),
        amr: if claims.amr.is_empty() { vec!["user".to_owned()] } else { claims.amr.clone() },
        acting: None,
    })
}
