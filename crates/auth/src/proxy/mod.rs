//! Forward authentication: reverse proxies ask who sent each request, and send browsers here to sign in.
//!
//! A host behind a proxy is one of an application: its callback below is among the application's `redirect_uris`. The proxy
//! hands everything below `/auth/proxy/` of that host to this service, under the tenant's own host name.

mod application;
mod check;
mod forwarded;
mod paths;
mod sign_in;
mod sign_out;
mod ticket;

use svc_http::Routes;

/// Where proxies ask, and where the browsers of their hosts sign in and out.
pub fn routes() -> Routes {
    check::routes().merge(sign_in::routes()).merge(sign_out::routes())
}
