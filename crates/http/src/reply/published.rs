//! Published documents in memory: rendered once, and answered as long as all that they are made of is the same.
//!
//! An entry holds the records that its document was made of. Memory replaces such a record as a whole where it has changed, on
//! this node with the commit and on others within a second, and with that the document is rendered again.

use std::any::Any;
use std::sync::Arc;

use svc_core::{Result, TenantRef};
use svc_domain::memory::{self, Kept};

use super::document::StaticDocument;
use crate::context::HostCx;

/// A record that a document is made of, as memory has it.
pub type Source = Arc<dyn Any + Send + Sync>;

/// The documents of all tenants, by tenant and name.
pub(crate) struct Published(Kept<(TenantRef, String), Arc<Rendered>>);

struct Rendered {
    sources: Box<[Source]>,
    document: StaticDocument,
}

/// Most bytes of documents kept in memory.
const KEPT: u64 = 16 << 20;

impl Default for Published {
    fn default() -> Self {
        Self(memory::bounded(KEPT, |(_, name), rendered| name.len() + rendered.document.bytes.len()))
    }
}

impl Rendered {
    fn is_of(&self, sources: &[Source]) -> bool {
        let is_same = |(one, other): (&Source, &Source)| Arc::ptr_eq(one, other);
        self.sources.len() == sources.len() && self.sources.iter().zip(sources).all(is_same)
    }
}

impl HostCx {
    /// A document about the tenant, made of its record, of the configuration and of `sources`.
    pub fn document(
        &self,
        name: &str,
        sources: &[Source],
        render: impl FnOnce() -> Result<String>,
    ) -> Result<StaticDocument> {
        let Published(kept) = &self.app.published;
        let key = (self.tenant.id.reference(), name.to_owned());
        let tenant: Source = Arc::clone(&self.tenant) as Source;
        let sources: Box<[Source]> = [&tenant].into_iter().chain(sources).cloned().collect();
        if let Some(known) = kept.get(&key).filter(|known| known.is_of(&sources)) {
            return Ok(known.document.clone());
        }
        let document = StaticDocument::json(render()?);
        kept.insert(key, Arc::new(Rendered { sources, document: document.clone() }));
        Ok(document)
    }
}
