//! The form of the addresses of the stores that processes coordinate through.

use super::Config;
use super::load::fault::Fault;

/// Every address of the wrong form.
pub fn faults(config: &Config) -> Vec<Fault> {
    memcached(config).into_iter().chain(redis(config)).collect()
}

/// Its clients have no scheme: with one, `memcached` would be looked up as the host.
fn memcached(config: &Config) -> Option<Fault> {
    let address = config.memcached.address.as_ref()?;
    let (host, port) = address.rsplit_once(':').unwrap_or_default();
    let is_address = !host.is_empty() && !host.contains('/') && port.parse::<u16>().is_ok();
    let wrong = || {
        let what = format!("{address:?} has the wrong form");
        Fault::new("memcached.address", what, "write host:port alone, such as cache.internal:11211")
    };
    (!is_address).then(wrong)
}

fn redis(config: &Config) -> Option<Fault> {
    let url = config.redis.url.as_ref()?;
    let is_redis = ["redis://", "rediss://"].iter().any(|scheme| url.expose().starts_with(scheme));
    let wrong = || {
        let what = "the address has the wrong form";
        Fault::new("redis.url", what, "write redis://host:port or rediss://host:port")
    };
    (!is_redis).then(wrong)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{config, faults};

    #[test]
    fn an_address_of_memcached_is_a_host_with_a_port_and_nothing_else() {
        for address in ["cache.internal:11211", "my_cache:11211", "127.0.0.1:11211", "[::1]:11211"] {
            config(&[("SVC_MEMCACHED__ADDRESS", address)]);
        }
        for address in ["a", "cache.internal", ":11211", "memcached://cache.internal:11211", "a:11211/"] {
            let faults = faults(&[("SVC_MEMCACHED__ADDRESS", address)]);
            let told = format!("memcached.address: {address:?} has the wrong form");
            assert!(faults.starts_with(&told), "{faults}");
            assert!(faults.contains("write host:port alone, such as cache.internal:11211"), "{faults}");
        }
    }

    #[test]
    fn an_address_of_redis_has_one_of_its_schemes_and_is_not_shown() {
        for url in ["redis://a", "rediss://a:6380"] {
            config(&[("SVC_REDIS__URL", url)]);
        }
        let faults = faults(&[("SVC_REDIS__URL", "http://:canary@a")]);
        assert!(faults.starts_with("redis.url: ") && !faults.contains("canary"), "{faults}");
    }
}
