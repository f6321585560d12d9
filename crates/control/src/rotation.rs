//! How a secret is replaced by the API: clients that have the former one get time to change.

use serde::Deserialize;
use svc_core::{Result, Seconds};
use svc_domain::overlap::Overlap;
use utoipa::IntoParams;

/// The query of a request that replaces a secret.
#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Rotation {
    /// How many seconds the former secret counts as well; a day unless given.
    #[serde(default)]
    #[param(value_type = i64, minimum = 0, maximum = 2_592_000, default = 86400, nullable = false)]
    overlap_secs: Option<Seconds>,
}

impl Rotation {
    /// Refuses more than 30 days as `bad_request`.
    pub(crate) fn overlap(&self) -> Result<Overlap> {
        self.overlap_secs.map_or_else(|| Ok(Overlap::default()), Overlap::chosen)
    }
}
