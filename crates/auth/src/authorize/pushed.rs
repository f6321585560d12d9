//! A request that was pushed ahead (RFC 9126 §4): what the browser brings is only a reference to it.

use svc_core::capability::Capability;
use svc_core::{Class, Error, Result};
use svc_domain::apps::App;
use svc_domain::grants::par::Pushed;
use svc_http::{HostCx, Params};

use super::arrived::{Arrived, Endpoint};

/// What every reference starts with (RFC 9126 §2.2).
pub const PREFIX: &str = "urn:ietf:params:oauth:request_uri:";

/// The secret part of a reference of ours; any other `request_uri` is none.
pub fn reference(params: &Params) -> Option<&str> {
    params.one("request_uri")?.strip_prefix(PREFIX)
}

/// The two parameters that count together, where others are doubled: what is outside a pushed request says
/// nothing, so it can do no harm.
pub fn alone(query: &str) -> Option<Params> {
    let counts = |pair: &&str| pair.starts_with("client_id=") || pair.starts_with("request_uri=");
    let kept: Vec<_> = query.split('&').filter(counts).collect();
    Params::parse(&kept.join("&")).ok().filter(|params| reference(params).is_some())
}

/// The request behind a reference: pushed by this application, unused and in time.
pub fn arrived((host, app): (&HostCx, &App), reference: &str, found: Option<Pushed>) -> Result<Arrived> {
    if !host.offers_to(app, &Capability::PAR) {
        return Err(Error::new(
            Class::RequestUriNotSupported,
            "request_uri: this parameter is not offered here",
        ));
    }
    let pushed = found.filter(|pushed| pushed.app == app.id);
    let pushed = pushed.ok_or_else(|| {
        Error::invalid_request_uri(
            "the request_uri is unknown, expired or used; start again at the application",
        )
    })?;
    Ok(Arrived {
        params: pushed.parameters.into_iter().collect(),
        endpoint: Endpoint::Pushed,
        reference: Some(reference.to_owned()),
        dpop_jkt: pushed.dpop_jkt,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubled_parameters_beside_a_reference_do_no_harm() {
        let params =
            alone("client_id=a&scope=x&scope=y&request_uri=urn:ietf:params:oauth:request_uri:r").unwrap();
        assert_eq!((params.one("client_id"), reference(&params)), (Some("a"), Some("r")));
        assert!(!params.has("scope"));
        for bad in [
            "client_id=a&client_id=a&request_uri=urn:ietf:params:oauth:request_uri:r",
            "client_id=a&scope=x&scope=y",
            "client_id=a&scope=x&scope=y&request_uri=https://a.example/r",
        ] {
            assert!(alone(bad).is_none(), "{bad}");
        }
    }
}
