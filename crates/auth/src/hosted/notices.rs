//! What a form has done, as the page after it says: only in the browser that sent the form, so that no link of another site has our
//! pages say it.

use serde::{Deserialize, Serialize};
use svc_core::{Result, Seconds, Timestamp};
use svc_http::{Params, Response, see_other};

use super::address::with_query;
use super::sealed::Carried;
use super::visit::Visit;
use crate::pages::MessageKey;

/// How long the page may be loaded again and still say it.
const LIFETIME: Seconds = Seconds(600);
/// The parameter that proves what `done` says.
const TOLD: &str = "told";

#[derive(Serialize, Deserialize)]
struct Done(String);

impl Carried for Done {
    const LABEL: &'static str = "notice";

    fn expires_at(&self, now: Timestamp, _: Seconds) -> Timestamp {
        now + LIFETIME
    }
}

/// Back to a page, which says what was done.
pub fn done(visit: &Visit, path: &str, notice: MessageKey) -> Result<Response> {
    let told = visit.seal(&Done(notice.id().to_owned()))?;
    Ok(see_other(&with_query(path, [("done", notice.id()), (TOLD, told.as_str())])))
}

/// What was done in this browser, as the address has it.
pub fn told(visit: &Visit, query: &Params) -> Option<MessageKey> {
    let Done(id) = query.one(TOLD).and_then(|text| visit.open_from_address(text))?;
    MessageKey::ALL.iter().find(|key| key.id() == id).copied()
}
