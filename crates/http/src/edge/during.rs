//! The request during which work is done, for each line of the log that is written meanwhile.
//!
//! A span of `tracing` would say the same, and each request would pay for a record of it that hardly any reads.

use std::sync::Arc;

use crate::arrival::Arrival;

tokio::task_local! {
    static CURRENT: Arc<Arrival>;
}

/// Does work during a request. What is spawned is another task, and says again during which.
pub fn during<F: Future>(request: Arc<Arrival>, work: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(request, work)
}

/// The request during which this is called, if it is called during one.
pub fn current_request() -> Option<Arc<Arrival>> {
    CURRENT.try_with(Arc::clone).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_knows_its_request_until_it_is_done() {
        let [outer, inner] = ["outer", "inner"].map(|id| {
            let mut arrival = Arrival::default();
            arrival.request_id.push_str(id);
            Arc::new(arrival)
        });
        let id = || current_request().map(|request| request.request_id.clone());
        assert_eq!(id(), None);
        let seen = during(outer, async {
            tokio::task::yield_now().await;
            [
                id(),
                during(inner, async { id() }).await,
                id(),
                tokio::spawn(async move { id() }).await.unwrap(),
            ]
        });
        let told = |id: &str| Some(id.to_owned());
        assert_eq!(seen.await, [told("outer"), told("inner"), told("outer"), None]);
        assert_eq!(id(), None);
    }
}
