//! What a wrong signature costs the one who sends it: a place in the count of their network address, and an entry of the audit log.

use serde_json::json;
use svc_core::events::LoginFailed;
use svc_core::{Result, Seconds};
use svc_domain::log::{Action, Meaning, record};

use crate::hosted::Visit;
use crate::pages::MessageKey;
use crate::signin::progress::Factor;

/// A network address from which signatures come. Each can make this service ask a node.
pub struct Requester<'a> {
    visit: &'a Visit,
    key: String,
}

impl<'a> Requester<'a> {
    /// That of the browser.
    pub fn of(visit: &'a Visit) -> Self {
        Self { visit, key: format!("siwe {}", visit.host.arrival.throttle_key()) }
    }

    /// Counts a signature before it is judged; what to say where there were too many.
    pub async fn counted(&self) -> Option<MessageKey> {
        let (config, now) = (self.visit.live(), self.visit.cx().now);
        let count = self.visit.host.app.coordination.incr(&self.key, self.window(), now).await;
        let most = i64::from(config.auth.password_verify_ip_max_attempts);
        count.wait_beyond(most, now).map(MessageKey::too_many_attempts)
    }

    /// Takes it back: it was a good one, or was not judged.
    pub async fn give_back(&self) {
        let now = self.visit.cx().now;
        self.visit.host.app.coordination.give_back(&self.key, self.window(), now).await;
    }

    fn window(&self) -> Seconds {
        self.visit.config().auth.password_verify_ip_window_secs
    }
}

/// Records a refusal. Whose account the address opens is not looked up: addresses are public, and others could fill the history of
/// their holder.
pub async fn refused(visit: &Visit, (method, reason): (&'static str, &'static str)) -> Result<()> {
    let cx = visit.cx();
    tracing::info!(target: "svc::sign_in", request_id = cx.request_id, method, reason, "sign-in refused");
    let labels = [("factor", Factor::Key.label()), ("outcome", "credentials")];
    visit.host.app.metrics.count_one("sign_ins_total", &labels);
    let event = LoginFailed { tenant_user_id: None, method, reason: "credentials" };
    let facts = json!({ "method": method, "reason": reason });
    let mut tx = visit.host.begin().await?;
    record(&mut tx, cx, Meaning::denied(Action::SessionCreated, "").with(facts).telling(event));
    tx.commit().await
}
