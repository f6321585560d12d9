//! Rules between keys, and rules on a key's text: they hold on every plane, in development too.

use super::deployment::Plane;
use super::forms::{is_android_app, is_apple_app, is_free_header, is_host, is_label, is_locale, is_name};
use super::load::fault::Fault;
use super::{Config, Kms, passwordless, providers, stores};
use svc_core::Seconds;
use svc_core::capability::Capability;

/// Every broken rule.
pub fn faults(config: &Config) -> Vec<Fault> {
    let server = [mtls(config), proxy(config), second_factor(config)].concat();
    [
        orders(config),
        texts(config),
        kms(&config.kms),
        server,
        passkey(config),
        passwordless::faults(config),
        stores::faults(config),
        items(config),
        siwe(config),
        providers::faults(config),
    ]
    .concat()
}

/// What demands a second factor needs people to be able to set one up.
fn second_factor(config: &Config) -> Vec<Fault> {
    let demands = [
        ("two_factor.required", config.two_factor.required),
        ("admin.second_factor_required", config.admin.second_factor_required),
    ];
    let is_missing = |(_, is_set): &(&str, bool)| *is_set && !config.two_factor.enabled;
    let fault = |(key, _)| Fault::new(key, "needs two_factor.enabled", "switch that on, or this off");
    demands.into_iter().filter(is_missing).map(fault).collect()
}

/// Of two numbers the one must not pass the other.
fn orders(config: &Config) -> Vec<Fault> {
    let (jwt, session, keys) = (&config.jwt, &config.session_cookie, &config.api_keys);
    let secs = |Seconds(secs)| secs;
    let days = i64::from;
    let pairs = [
        (
            ("jwt.refresh_token_lifetime_human_secs", secs(jwt.refresh_token_lifetime_human_secs)),
            ("jwt.access_token_lifetime_human_secs", secs(jwt.access_token_lifetime_human_secs)),
        ),
        (
            ("jwt.refresh_token_lifetime_agent_secs", secs(jwt.refresh_token_lifetime_agent_secs)),
            ("jwt.access_token_lifetime_agent_secs", secs(jwt.access_token_lifetime_agent_secs)),
        ),
        (
            ("session_cookie.absolute_lifetime_secs", secs(session.absolute_lifetime_secs)),
            ("session_cookie.idle_lifetime_secs", secs(session.idle_lifetime_secs)),
        ),
        (
            ("api_keys.max_lifetime_days", days(keys.max_lifetime_days)),
            ("api_keys.default_lifetime_days", days(keys.default_lifetime_days)),
        ),
        (
            ("adaptive_mfa.block_score", days(config.adaptive_mfa.block_score)),
            ("adaptive_mfa.step_up_score", days(config.adaptive_mfa.step_up_score)),
        ),
    ];
    pairs.into_iter().filter_map(|(upper, lower)| at_least(upper, lower)).chain(pools(config)).collect()
}

/// A pool that keeps more connections than it may have; what it inherits is fitted, what it says itself is
/// not.
fn pools(config: &Config) -> Vec<Fault> {
    let database = &config.database;
    let sections = [
        (Plane::All, "database", Some(database.min_connections)),
        (Plane::Auth, "database.auth_pool", database.auth_pool.min_connections),
        (Plane::Control, "database.control_pool", database.control_pool.min_connections),
        (Plane::Async, "database.async_pool", database.async_pool.min_connections),
    ];
    let check = |(plane, section, least): (Plane, &str, Option<u32>)| {
        let (upper, lower) = (format!("{section}.max_connections"), format!("{section}.min_connections"));
        at_least((&upper, database.pool(plane).most.into()), (&lower, least?.into()))
    };
    sections.into_iter().filter_map(check).collect()
}

fn at_least((upper, most): (&str, i64), (lower, least): (&str, i64)) -> Option<Fault> {
    (most < least).then(|| {
        Fault::new(
            upper,
            format!("{most} is less than {lower} = {least}"),
            "raise the first or lower the second",
        )
    })
}

/// Texts with a form of their own.
fn texts(config: &Config) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut check = |key: &str, text: &str, is_right: bool, fix: &str| {
        if !is_right {
            faults.push(Fault::new(key, format!("{text:?} has the wrong form"), fix));
        }
    };
    for host in &config.server.allowed_hosts {
        let fix = "write lower-case host names without scheme, port and path; \"*.domain\" for every host one label below it";
        let name = host.strip_prefix("*.").unwrap_or(host);
        check("server.allowed_hosts", host, is_host(name), fix);
    }
    if let Some(base) = &config.server.base_domain {
        check("server.base_domain", base, is_host(base), "write a host name in lower case");
    }
    for name in &config.server.acme.domains {
        let fix = "write lower-case host names, each one: the challenge of ACME proves neither wildcards nor addresses";
        let is_name = is_host(name) && !name.starts_with('[') && name.parse::<std::net::IpAddr>().is_err();
        check("server.acme.domains", name, is_name, fix);
    }
    if let Some(contact) = &config.server.acme.contact {
        let is_address = contact.contains('@') && !contact.contains(':');
        check("server.acme.contact", contact, is_address, "write a mail address like \"ops@example.com\"");
    }
    if let Some(target) = &config.custom_domains.cname_target {
        check("custom_domains.cname_target", target, is_host(target), "write a host name in lower case");
    }
    if let Some(slug) = &config.tenant.default_tenant_slug {
        let fix = "use 1 to 63 lower-case letters, digits and inner hyphens";
        check("tenant.default_tenant_slug", slug, is_label(slug), fix);
    }
    let cookie = &config.session_cookie.name;
    check("session_cookie.name", cookie, is_name(cookie), "use letters, digits, hyphens and underscores");
    let header = &config.proxy.subject_header;
    let fix = "use letters, digits and hyphens, and no header that HTTP or proxies give a meaning";
    check("proxy.subject_header", header, is_free_header(header), fix);
    let i18n = &config.i18n;
    for locale in i18n.supported.iter().chain([&i18n.default_locale]) {
        check(
            "i18n.supported",
            locale,
            is_locale(locale),
            "write BCP 47 language tags like \"en\" or \"pt-BR\"",
        );
    }
    let is_offered = i18n.supported.contains(&i18n.default_locale);
    check("i18n.default_locale", &i18n.default_locale, is_offered, "choose one of i18n.supported");
    for name in &config.oidc.disabled_capabilities {
        let names: Vec<_> = Capability::ALL.iter().map(|capability| capability.name).collect();
        let fix = format!("choose from {}", names.join(", "));
        check("oidc.disabled_capabilities", name, Capability::named(name).is_some(), &fix);
    }
    let currency = &config.billing.currency;
    let is_code = currency.len() == 3 && currency.bytes().all(|byte| byte.is_ascii_uppercase());
    check("billing.currency", currency, is_code, "write an ISO 4217 code like \"EUR\"");
    faults
}

/// Key management is configured whole or not at all.
fn kms(kms: &Kms) -> Vec<Fault> {
    if kms.parts().iter().all(|(_, path)| path.is_none()) {
        return Vec::new();
    }
    let missing = kms.parts().into_iter().filter(|(_, path)| path.is_none());
    missing
        .map(|(key, _)| Fault::new(key, "is missing while [kms] is begun", "set all three keys or none"))
        .collect()
}

/// Who asks for certificates ends TLS, and a proxy that passes them on is a trusted one.
fn mtls(config: &Config) -> Vec<Fault> {
    let server = &config.server;
    let mtls = &server.mtls;
    let broken = [
        (
            mtls.port.is_some() && !server.transport.is_tls(),
            Fault::new(
                "server.mtls.port",
                "is set while TLS does not end here",
                "set server.transport to tls",
            ),
        ),
        (
            mtls.port == Some(server.port),
            Fault::new("server.mtls.port", "is the port of server.port", "choose another port"),
        ),
        (
            mtls.public_port.is_some() && !mtls.is_offered(),
            Fault::new(
                "server.mtls.public_port",
                "names a port where no certificate arrives",
                "set server.mtls.port",
            ),
        ),
        (
            mtls.trust_client_cert_header && server.trusted_proxies.is_empty(),
            Fault::new(
                "server.mtls.trust_client_cert_header",
                "believes proxies, of which there are none",
                "set server.trusted_proxies",
            ),
        ),
    ];
    broken.into_iter().filter(|(is_broken, _)| *is_broken).map(|(_, fault)| fault).collect()
}

/// Only listed proxies may ask.
fn proxy(config: &Config) -> Vec<Fault> {
    let is_useless = config.proxy.enabled && config.server.trusted_proxies.is_empty();
    let fault = || {
        let what = "is set while no proxy may ask";
        Fault::new("proxy.enabled", what, "list the addresses of the proxies in server.trusted_proxies")
    };
    is_useless.then(fault).into_iter().collect()
}

/// A browser refuses a relying party that is not the visited host or above it, and one that is an address (WebAuthn §5.1.3).
fn passkey(config: &Config) -> Vec<Fault> {
    let section = &config.passkey;
    let host = section.origin.as_ref().map_or_else(|| config.oidc.issuer_url.host(), super::WebOrigin::host);
    let rp_id = section.shared_rp_id(&config.oidc.issuer_url);
    let is_chosen = section.rp_id.is_some() || host != rp_id;
    let uncovered = (is_chosen && !covers(&rp_id, &host)).then(|| {
        let what = format!("{rp_id:?} does not cover the origin's host {host:?}");
        let fix = "set passkey.origin to what browsers visit, and rp_id to its host or a parent domain";
        Fault::new("passkey.rp_id", what, fix)
    });
    let android = section.android_apps.iter().filter(|app| !is_android_app(app)).map(|app| {
        let fix = "write package name, = and fingerprint, such as com.example.app=14:6D:E9:…";
        Fault::new("passkey.android_apps", format!("{app:?} is not an app with its fingerprint"), fix)
    });
    let apple = section.apple_apps.iter().filter(|app| !is_apple_app(app)).map(|app| {
        let fix = "write the team id, a dot and the bundle id, such as ABCDE12345.com.example.app";
        Fault::new("passkey.apple_apps", format!("{app:?} is not an app id"), fix)
    });
    uncovered.into_iter().chain(android).chain(apple).collect()
}

fn covers(rp_id: &str, host: &str) -> bool {
    let is_name = rp_id.parse::<std::net::IpAddr>().is_err() && !rp_id.starts_with('[');
    let is_above = || host.strip_suffix(rp_id).is_some_and(|rest| rest.ends_with('.'));
    is_name && (host == rp_id || (rp_id.contains('.') && is_above()))
}

/// Sign-in with an account of Ethereum names a chain, each by a number of its own, and says what its grammar has (EIP-4361).
fn siwe(config: &Config) -> Vec<Fault> {
    let chains = &config.chains;
    let is_missing = config.siwe.enabled && chains.is_empty();
    let missing = || Fault::new("siwe.enabled", "needs one of [[chains]]", "add a chain, or switch this off");
    let is_taken = |nth: usize, id: u64| chains.iter().take(nth).any(|other| other.chain_id == Some(id));
    let numbers = chains.iter().enumerate().filter_map(|(nth, chain)| Some((nth, chain.chain_id?)));
    let wrong = numbers.filter(|(nth, id)| *id == 0 || is_taken(*nth, *id)).map(|(nth, id)| {
        let fix = "give each chain its own number of EIP-155";
        Fault::new(format!("chains[{nth}].chain_id"), format!("{id} is of another chain, or of none"), fix)
    });
    let named = chains.iter().enumerate().filter_map(|(nth, chain)| Some((nth, chain.name.as_deref()?)));
    let misnamed = named.filter(|(_, name)| !is_label(name)).map(|(nth, name)| {
        let fix = "use 1 to 63 lower-case letters, digits and inner hyphens";
        Fault::new(format!("chains[{nth}].name"), format!("{name:?} has the wrong form"), fix)
    });
    let is_said = |byte: u8| byte.is_ascii_alphanumeric() || b" -._~:/?#[]@!$&'()*+,;=".contains(&byte);
    let statement =
        config.siwe.statement.as_ref().filter(|text| text.is_empty() || !text.bytes().all(is_said));
    let unsaid = statement.map(|text| {
        let fix = "write one line of ASCII letters, digits, spaces and -._~:/?#[]@!$&'()*+,;=";
        Fault::new("siwe.statement", format!("{text:?} has the wrong form"), fix)
    });
    is_missing.then(missing).into_iter().chain(misnamed).chain(wrong).chain(unsaid).collect()
}

/// Required keys of repeated sections.
fn items(config: &Config) -> Vec<Fault> {
    let chains = config.chains.iter().enumerate().flat_map(|(nth, chain)| {
        [
            (format!("chains[{nth}].name"), chain.name.is_none()),
            (format!("chains[{nth}].chain_id"), chain.chain_id.is_none()),
            (format!("chains[{nth}].rpc_url"), chain.rpc_url.is_none()),
        ]
    });
    let missing = chains.filter(|(_, is_missing)| *is_missing);
    missing.map(|(key, _)| Fault::new(key, "is missing", "set it")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{config, faults};

    #[test]
    fn a_refresh_lifetime_is_never_shorter_than_its_access_lifetime() {
        for kind in ["HUMAN", "AGENT"] {
            let (refresh, access) = (
                format!("SVC_JWT__REFRESH_TOKEN_LIFETIME_{kind}_SECS"),
                format!("SVC_JWT__ACCESS_TOKEN_LIFETIME_{kind}_SECS"),
            );
            config(&[(&refresh, "3600"), (&access, "3600")]);
            let faults = faults(&[(&refresh, "3600"), (&access, "3601")]);
            assert!(faults.starts_with("jwt.refresh_token_lifetime_"), "{faults}");
            assert!(faults.contains("3600 is less than jwt.access_token_lifetime_"), "{faults}");
        }
    }

    #[test]
    fn each_rule_names_its_key() {
        for (env, key) in [
            ([("SVC_DATABASE__MIN_CONNECTIONS", "11")].as_slice(), "database.max_connections"),
            (&[("SVC_DATABASE__AUTH_POOL__MIN_CONNECTIONS", "11")], "database.auth_pool.max_connections"),
            (&[("SVC_SERVER__ALLOWED_HOSTS", r#"["https://a"]"#)], "server.allowed_hosts"),
            (&[("SVC_SERVER__ALLOWED_HOSTS", r#"["*"]"#)], "server.allowed_hosts"),
            (&[("SVC_SERVER__ALLOWED_HOSTS", r#"["A.example"]"#)], "server.allowed_hosts"),
            (&[("SVC_SERVER__ACME__DOMAINS", r#"["*.example.com"]"#)], "server.acme.domains"),
            (&[("SVC_SERVER__ACME__DOMAINS", r#"["192.0.2.1"]"#)], "server.acme.domains"),
            (&[("SVC_SERVER__ACME__CONTACT", "mailto:ops@example.com")], "server.acme.contact"),
            (&[("SVC_CUSTOM_DOMAINS__CNAME_TARGET", "https://a")], "custom_domains.cname_target"),
            (&[("SVC_TENANT__DEFAULT_TENANT_SLUG", "Acme!")], "tenant.default_tenant_slug"),
            (&[("SVC_SESSION_COOKIE__NAME", "a=b")], "session_cookie.name"),
            (
                &[("SVC_SESSION_COOKIE__ABSOLUTE_LIFETIME_SECS", "300")],
                "session_cookie.absolute_lifetime_secs",
            ),
            (&[("SVC_PROXY__ENABLED", "true")], "proxy.enabled"),
            (&[("SVC_SIWE__ENABLED", "true")], "siwe.enabled"),
            (&[("SVC_CHAINS", r#"[{"name": "<b>", "chain_id": 1, "rpc_url": "x"}]"#)], "chains[0].name"),
            (&[("SVC_SIWE__STATEMENT", "a\nb")], "siwe.statement"),
            (&[("SVC_SIWE__STATEMENT", "")], "siwe.statement"),
            (&[("SVC_SIWE__STATEMENT", "caf\u{e9}")], "siwe.statement"),
            (&[("SVC_CHAINS", r#"[{"name": "a", "chain_id": 0, "rpc_url": "x"}]"#)], "chains[0].chain_id"),
            (
                &[(
                    "SVC_CHAINS",
                    r#"[{"name": "a", "chain_id": 5, "rpc_url": "x"}, {"name": "b", "chain_id": 5, "rpc_url": "y"}]"#,
                )],
                "chains[1].chain_id",
            ),
            (&[("SVC_PROXY__SUBJECT_HEADER", "remote_user")], "proxy.subject_header"),
            (&[("SVC_PROXY__SUBJECT_HEADER", "Cookie")], "proxy.subject_header"),
            (&[("SVC_PROXY__SUBJECT_HEADER", "x-forwarded-user")], "proxy.subject_header"),
            (&[("SVC_I18N__DEFAULT_LOCALE", "nl")], "i18n.default_locale"),
            (&[("SVC_I18N__SUPPORTED", r#"["en", "../x"]"#)], "i18n.supported"),
            (&[("SVC_KMS__SOCKET_PATH", "/run/kms")], "kms.server_public_key_path"),
            (&[("SVC_PASSKEY__RP_ID", "example.com")], "passkey.rp_id"),
            (&[("SVC_PASSKEY__ORIGIN", "http://a.localhost")], "passkey.rp_id"),
            (&[("SVC_OIDC__DISABLED_CAPABILITIES", r#"["password"]"#)], "oidc.disabled_capabilities"),
            (
                &[
                    ("SVC_OIDC__DISABLED_CAPABILITIES", r#"["password", "passkeys"]"#),
                    ("SVC_MAGIC_LINK__ENABLED", "true"),
                    ("SVC_TWO_FACTOR__REQUIRED", "true"),
                ],
                "oidc.disabled_capabilities",
            ),
            (
                &[
                    ("SVC_OIDC__DISABLED_CAPABILITIES", r#"["password"]"#),
                    ("SVC_MAGIC_LINK__ENABLED", "true"),
                    ("SVC_TENANT__DEFAULT_TENANT_SLUG", "main"),
                ],
                "oidc.disabled_capabilities",
            ),
            (
                &[("SVC_PASSKEY__ORIGIN", "http://a.localhost"), ("SVC_PASSKEY__RP_ID", "localhost")],
                "passkey.rp_id",
            ),
            (
                &[("SVC_PASSKEY__ORIGIN", "http://127.0.0.1"), ("SVC_PASSKEY__RP_ID", "127.0.0.1")],
                "passkey.rp_id",
            ),
            (&[("SVC_PASSKEY__ANDROID_APPS", r#"["com.example.app"]"#)], "passkey.android_apps"),
            (&[("SVC_PASSKEY__APPLE_APPS", r#"["com.example.app"]"#)], "passkey.apple_apps"),
            (&[("SVC_BILLING__CURRENCY", "euro")], "billing.currency"),
            (&[("SVC_CHAINS", r#"[{"name": "a", "chain_id": 1}]"#)], "chains[0].rpc_url"),
        ] {
            let faults = faults(env);
            assert!(faults.starts_with(key), "{key}: {faults}");
        }
    }

    #[test]
    fn the_fault_of_an_allowed_host_says_what_a_wildcard_covers() {
        let faults = faults(&[("SVC_SERVER__ALLOWED_HOSTS", r#"["*"]"#)]);
        assert!(faults.contains("\"*.domain\" for every host one label below it"), "{faults}");
    }

    #[test]
    fn hosts_may_be_names_addresses_and_wildcards() {
        config(&[(
            "SVC_SERVER__ALLOWED_HOSTS",
            r#"["id.example.com", "*.example.com", "127.0.0.1", "[::1]"]"#,
        )]);
    }
}
