//! TXT records (RFC 1035 §3.3.14) and addresses of domains, by the name servers of the configuration or those of the system.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::RData;
use svc_config::Config;
use svc_core::{Error, OrInternal as _, Result};

/// The time for one attempt to ask a name server.
const TIME: Duration = Duration::from_secs(3);

/// Asks name servers.
#[derive(Clone)]
pub struct Names {
    servers: Vec<SocketAddr>,
}

impl Names {
    /// Asks the name servers of `config`.
    pub fn new(config: &Config) -> Self {
        Self { servers: config.verified_domains.resolvers.clone() }
    }

    /// The texts of the TXT records of a name; none where there is no such name. Nothing is remembered, so that a record counts
    /// as soon as it is there.
    pub async fn texts(&self, name: &str) -> Result<Vec<String>> {
        match self.resolver().or_internal()?.txt_lookup(format!("{name}.")).await {
            Ok(found) => {
                let records = found.answers().iter();
                Ok(records.filter_map(|record| text(&record.data)).collect())
            }
            Err(error) if error.is_no_records_found() => Ok(Vec::new()),
            Err(error) => {
                Err(Error::conflict("the name servers of the domain gave no answer; try again later")
                    .caused_by(error))
            }
        }
    }

    /// The addresses of a host; none where it has none.
    pub async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>> {
        match self.resolver().or_internal()?.lookup_ip(format!("{name}.")).await {
            Ok(found) => Ok(found.iter().collect()),
            Err(error) if error.is_no_records_found() => Ok(Vec::new()),
            Err(error) => {
                Err(Error::conflict("the name servers of the domain gave no answer; try again later")
                    .caused_by(error))
            }
        }
    }

    fn resolver(&self) -> std::result::Result<TokioResolver, NetError> {
        let mut builder = if self.servers.is_empty() {
            TokioResolver::builder_tokio()?
        } else {
            let servers = self.servers.iter().map(server).collect();
            let config = ResolverConfig::from_name_servers(servers);
            TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
        };
        let options = builder.options_mut();
        options.cache_size = 0;
        options.timeout = TIME;
        options.attempts = 1;
        builder.build()
    }
}

fn server(address: &SocketAddr) -> NameServerConfig {
    let mut server = NameServerConfig::udp_and_tcp(address.ip());
    let connections: &mut Vec<ConnectionConfig> = &mut server.connections;
    for connection in connections {
        connection.port = address.port();
    }
    server
}

/// The text of a record; its parts are one text (RFC 7208 §3.3).
fn text(data: &RData) -> Option<String> {
    let RData::TXT(txt) = data else { return None };
    String::from_utf8(txt.txt_data.concat()).ok()
}
