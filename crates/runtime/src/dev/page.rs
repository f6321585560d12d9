//! The pages under `/dev`: small templates with the stylesheet of the hosted pages.

use minijinja::{Environment, Value};
use svc_auth::pages::asset_url;
use svc_core::{Cx, OrInternal as _, Result};
use svc_http::{PageResponse, StatusCode};

/// The templates, read once.
pub struct Templates(Environment<'static>);

impl Templates {
    /// Reads the embedded templates.
    pub fn load() -> Result<Self> {
        let mut environment = Environment::new();
        for (name, source) in [
            ("base.html", include_str!("../../templates/base.html")),
            ("start.html", include_str!("../../templates/start.html")),
            ("signed_in.html", include_str!("../../templates/signed_in.html")),
            ("trouble.html", include_str!("../../templates/trouble.html")),
            ("inbox.html", include_str!("../../templates/inbox.html")),
        ] {
            environment.add_template(name, source).or_internal()?;
        }
        environment.add_function("asset", |stem: &str| asset_url(stem).unwrap_or_default());
        Ok(Self(environment))
    }

    /// A page; `content` is what its template reads.
    pub fn page(&self, cx: &Cx, name: &str, content: Value) -> Result<PageResponse> {
        let nonce = svc_keys::token(&*cx.entropy);
        let template = self.0.get_template(name).or_internal()?;
        let html = template.render(minijinja::context! { page => content }).or_internal()?;
        Ok(PageResponse { status: StatusCode::OK, html, nonce, form_action: Vec::new(), sources: &[] })
    }
}
