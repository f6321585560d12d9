//! A sign-in that was refused, as the audit log, the event stream, the metrics and the person's own history record it.

use svc_core::Result;
use svc_core::events::LoginFailed;
use svc_db::{Tenant, Tx};
use svc_domain::log::{Action, Meaning, record, target_of};
use svc_domain::people::tenant_users::Person;

use super::history;
use super::progress::Factor;
use super::second_factor::judged;
use crate::hosted::Visit;

/// What was refused.
pub struct TurnedAway<'a> {
    /// The method.
    pub method: &'static str,
    /// What it would have proven.
    pub factor: Factor,
    /// How that is named (RFC 8176).
    pub amr: &'a [&'a str],
    /// Whether the person had proven something before.
    pub is_second: bool,
    /// Why: `credentials` where the proof was wrong, `not_admitted` where it was right and the person may not enter.
    pub reason: &'static str,
}

impl TurnedAway<'_> {
    /// Records it, for the person whose sign-in it was, if that is known.
    pub fn record(&self, tx: &mut Tx<Tenant>, visit: &Visit, person: Option<&Person>) -> Result<()> {
        let tenant_user_id = person.map(|person| person.id);
        tracing::info!(
            target: "svc::sign_in", request_id = visit.cx().request_id, method = self.method, reason = self.reason,
            "sign-in refused"
        );
        if self.is_second {
            judged(tx, visit, (tenant_user_id, self.method), false);
        } else {
            let labels = [("factor", self.factor.label()), ("outcome", self.reason)];
            visit.host.app.metrics.count_one("sign_ins_total", &labels);
            let event = LoginFailed { tenant_user_id, method: self.method, reason: self.reason };
            let meaning =
                Meaning::denied(Action::SessionCreated, target_of(tenant_user_id)).with_event(event);
            record(tx, visit.cx(), meaning);
        }
        history::failed(tx, visit, person, self.amr)
    }
}
