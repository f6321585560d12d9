//! The page after a form: the answer to a POST is a redirect (RFC 9110 §15.4.4) to an address that carries the page sealed,
//! so that reload and back send nothing twice.

use std::future::{Ready, ready};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::{AppId, OrInternal as _, Result, Seconds, Timestamp};
use svc_http::{Params, Response, Route, Routes, StatusCode};

use super::sealed::{Carried, named_app};
use super::visit::Visit;
use crate::pages::Page;

const PATH: &str = "/auth/page";
/// Longest address in bytes. Proxies refuse longer ones, so that a page with more state comes with the answer itself.
const LONGEST: usize = 6 * 1024;

/// A page as its address carries it: its data are harmless already.
#[derive(Serialize, Deserialize)]
pub struct Kept {
    template: String,
    page: Value,
    status: u16,
    target: Option<String>,
}

impl Carried for Kept {
    const LABEL: &'static str = "hosted page";

    fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp {
        now + login
    }

    fn app(&self) -> Option<AppId> {
        named_app(self.page.get("flow")?.as_str()?)
    }
}

/// The address of a page for this browser, unless it would be too long.
pub fn address<P: Page>(
    visit: &Visit,
    (status, page, target): (StatusCode, &P, Option<&str>),
) -> Result<Option<String>> {
    let kept = Kept {
        template: P::TEMPLATE.to_owned(),
        page: serde_json::to_value(page).or_internal()?,
        status: status.as_u16(),
        target: target.map(str::to_owned),
    };
    let address = format!("{PATH}?shown={}", visit.seal(&kept)?);
    Ok(Some(address).filter(|address| address.len() <= LONGEST))
}

/// The pages after forms.
pub fn routes() -> Routes {
    Routes::new([Route::get(PATH).page("the page after a form", show)])
}

#[expect(clippy::needless_pass_by_value, reason = "the handler of a page owns its parameters")]
fn show(visit: &mut Visit, query: Params) -> Ready<Result<Response>> {
    ready(shown(visit, &query))
}

fn shown(visit: &Visit, query: &Params) -> Result<Response> {
    let Kept { template, page, status, target } = visit.open(query.one("shown"))?;
    let status = StatusCode::from_u16(status).or_internal()?;
    visit.filled(status, (&template, &page), target.as_deref())
}
