//! `/api/v1/identity/guardians`: whom the person has chosen to recover the account together, and a recovery that they can cancel.

use serde::{Deserialize, Serialize};
use svc_core::{GuardianId, Timestamp};
use svc_domain::people::accounts::Email;
use svc_domain::people::guardians::{Browser, Guardian as Stored, Stage};
use svc_http::{Json, NoContent, Path, Problem, Route, TenantCx};
use utoipa::ToSchema;

use super::super::own::guardians::{self, Chosen};
use super::super::own::owner::Own;
use super::caller::{READ, WRITE, found, own};
use crate::signin::offers;

const PATH: &str = "/api/v1/identity/guardians";
const RULES: &str = "/api/v1/identity/guardian-rules";
const RECOVERY: &str = "/api/v1/identity/recovery";

/// The person's guardians, and the recovery that is under way.
#[derive(Serialize, ToSchema)]
#[schema(as = ChosenGuardians)]
struct Overview {
    /// The guardians, and those who are invited, the oldest first.
    guardians: Vec<Guardian>,
    /// How many must confirm.
    threshold: u32,
    /// Hours from the last of these confirmations to the new password.
    wait_hours: u32,
    /// Whether the person has chosen these rules, and enough guardians count.
    is_ready: bool,
    /// The recovery that someone has asked for; null where there is none.
    recovery: Option<Recovery>,
}

/// A guardian, or a person who is invited.
#[derive(Serialize, ToSchema)]
#[schema(as = Guardian)]
struct Guardian {
    #[schema(value_type = String)]
    id: GuardianId,
    /// The address that was invited.
    email: String,
    #[schema(value_type = String, format = "date-time")]
    invited_at: Timestamp,
    /// Null until the invitation was accepted.
    #[schema(value_type = Option<String>, format = "date-time")]
    accepted_at: Option<Timestamp>,
    /// Whether the guardian counts: accepted, and may sign in.
    is_active: bool,
}

/// A recovery that someone has asked for.
#[derive(Serialize, ToSchema)]
#[schema(as = AskedRecovery)]
struct Recovery {
    #[schema(value_type = String, format = "date-time")]
    opened_at: Timestamp,
    #[schema(value_type = String, format = "date-time")]
    expires_at: Timestamp,
    /// How many guardians must confirm one of the browsers.
    threshold: u32,
    /// The browsers that ask, the latest first.
    browsers: Vec<AskingBrowser>,
}

/// A browser that asks for recovery.
#[derive(Serialize, ToSchema)]
#[schema(as = AskingBrowser)]
struct AskingBrowser {
    #[schema(value_type = String, format = "date-time")]
    asked_at: Timestamp,
    /// The network that it came from.
    network: String,
    /// The browser, in a word.
    browser: String,
    /// The system, in a word.
    os: String,
    /// Whether enough guardians have confirmed it.
    is_confirmed: bool,
    /// When it may choose a new password, while it waits for that.
    #[schema(value_type = Option<String>, format = "date-time")]
    ready_at: Option<Timestamp>,
}

/// Whom to invite.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewGuardian, examples(json!({ "email": "grace@example.com" })))]
struct NewGuardian {
    #[schema(format = "email", max_length = 320)]
    email: String,
}

/// How many guardians are needed, and how long the account waits then.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = GuardianRules, examples(json!({ "threshold": 2, "wait_hours": 48 })))]
struct Rules {
    /// No more than the guardians who count.
    #[schema(minimum = 2, maximum = 10)]
    threshold: u32,
    /// No fewer than the deployment and the tenant demand.
    #[schema(minimum = 1, maximum = 720)]
    wait_hours: u32,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(PATH)
            .tenant(READ, read)
            .summary("Read the person's guardians, and how many of them must confirm a recovery"),
        Route::post(PATH)
            .tenant(WRITE, invite)
            .summary("Invite the owner of an address as a guardian, by mail")
            .recent_sign_in()
            .idempotent(),
        Route::put(RULES)
            .tenant(WRITE, rules)
            .summary("Choose how many guardians are needed, and how long the account waits then")
            .recent_sign_in()
            .idempotent(),
        Route::delete(RECOVERY)
            .tenant(WRITE, cancel)
            .summary("Cancel the recovery that is under way")
            .idempotent(),
        Route::delete("/api/v1/identity/guardians/{guardian_id}")
            .tenant(WRITE, remove)
            .summary("Remove a guardian, with what they have confirmed")
            .recent_sign_in()
            .idempotent(),
    ]
}

/// The person of a call, where people have guardians.
pub(super) async fn offered(caller: &TenantCx) -> Result<Own, Problem> {
    let own = own(caller).await?;
    offers::must_have_guardians(&own.host)?;
    Ok(own)
}

async fn read(caller: TenantCx) -> Result<Json<Overview>, Problem> {
    let Chosen { guardians, rules, is_ready, asked } = guardians::chosen(&offered(&caller).await?).await?;
    let recovery = asked.map(|(case, browsers)| Recovery {
        opened_at: case.opened_at,
        expires_at: case.expires_at,
        threshold: case.threshold,
        browsers: browsers.into_iter().map(asking).collect(),
    });
    Ok(Json(Overview {
        guardians: guardians.into_iter().map(shown).collect(),
        threshold: rules.threshold,
        wait_hours: guardians::hours(rules.wait),
        is_ready,
        recovery,
    }))
}

fn shown(stored: Stored) -> Guardian {
    let Stored { id, email, created_at, accepted_at, is_active, .. } = stored;
    Guardian { id, email, invited_at: created_at, accepted_at, is_active }
}

fn asking((browser, stage): (Browser, Stage)) -> AskingBrowser {
    AskingBrowser {
        asked_at: browser.opened_at,
        network: browser.network,
        browser: browser.browser,
        os: browser.os,
        is_confirmed: !matches!(stage, Stage::Waiting { .. }),
        ready_at: match stage {
            Stage::Reached(at) => Some(at),
            Stage::Waiting { .. } | Stage::Ready => None,
        },
    }
}

async fn invite(caller: TenantCx, Json(new): Json<NewGuardian>) -> Result<NoContent, Problem> {
    let own = offered(&caller).await?;
    guardians::invite(&own, &Email::parse(&new.email)?).await?.map_err(|denied| denied.refusal())?;
    Ok(NoContent)
}

async fn rules(caller: TenantCx, Json(rules): Json<Rules>) -> Result<NoContent, Problem> {
    let own = offered(&caller).await?;
    let saved = guardians::set_rules(&own, (rules.threshold, rules.wait_hours)).await?;
    saved.map_err(|denied| denied.refusal())?;
    Ok(NoContent)
}

async fn remove(caller: TenantCx, Path(id): Path<GuardianId>) -> Result<NoContent, Problem> {
    found(guardians::remove(&offered(&caller).await?, id).await?)
}

async fn cancel(caller: TenantCx) -> Result<NoContent, Problem> {
    found(guardians::cancel(&offered(&caller).await?).await?)
}
