//! Values of the configuration that a tenant narrows: its own count where they are smaller than the deployment's.

use serde::{Deserialize, Serialize};
use svc_config::Config;
use svc_core::{Error, Result, Seconds};
use utoipa::ToSchema;

macro_rules! limits {
    ($($(#[$about:meta])* $section:ident $name:ident $as:ident {
        $($(#[$doc:meta])* $key:ident: $kind:ty, $least:tt, $most:tt $(, up_to $upper:ident)?;)+
    })+) => {
        /// Keys of the configuration that the tenant narrows, by section; the smaller value counts, the deployment's or the
        /// tenant's. Keys that are left out take the deployment's values.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(default, deny_unknown_fields)]
        #[schema(as = TenantLimits)]
        pub struct Limits {$(
            $(#[$about])*
            #[serde(skip_serializing_if = "is_default")]
            pub $section: $name,
        )+}

        $(
            $(#[$about])*
            #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
            #[serde(default, deny_unknown_fields)]
            #[schema(as = $as)]
            #[allow(clippy::struct_field_names, reason = "the keys of the configuration name their unit")]
            pub struct $name {$(
                $(#[$doc])*
                #[serde(skip_serializing_if = "Option::is_none")]
                #[schema(value_type = Option<u32>, minimum = $least, maximum = $most)]
                pub $key: Option<$kind>,
            )+}

            impl $name {$(
                $(#[$doc])*
                pub fn $key(&self, config: &Config) -> $kind {
                    let most = config.$section.$key;
                    self.$key.map_or(most, |own| own.min(most))$(.min(self.$upper(config)))?
                }
            )+}
        )+

        impl Limits {
            /// What counts with these limits in a deployment.
            #[must_use]
            pub fn effective(&self, config: &Config) -> Self {
                Self {$( $section: $name {$( $key: Some(self.$section.$key(config)), )+}, )+}
            }

            /// Refuses values that no deployment can have.
            pub(super) fn check(&self) -> Result<()> {
                Error::every([$($( within(
                    concat!("limits.", stringify!($section), ".", stringify!($key)),
                    self.$section.$key.map(i64::from),
                    ($least, $most),
                ), )+)+])?;
                Error::every([$($($( not_below(
                    concat!("limits.", stringify!($section), ".", stringify!($upper)),
                    self.$section.$upper.map(i64::from),
                    (stringify!($key), self.$section.$key.map(i64::from)),
                ), )?)+)+])
            }
        }
    };
}

limits! {
    /// How long tokens live.
    jwt JwtLimits TenantTokenLimits {
        /// Seconds for which an access token of a person or an application lives where its API says nothing else.
        access_token_lifetime_human_secs: Seconds, 60, 86_400, up_to refresh_token_lifetime_human_secs;
        /// Seconds for which the access token of a holder that acts for a person lives.
        access_token_lifetime_agent_secs: Seconds, 60, 86_400, up_to refresh_token_lifetime_agent_secs;
        /// Seconds for which a refresh token lives unless it is used.
        refresh_token_lifetime_human_secs: Seconds, 3600, 7_776_000;
        /// Seconds for which the refresh token of a holder that acts for a person lives unless it is used.
        refresh_token_lifetime_agent_secs: Seconds, 3600, 7_776_000;
        /// Seconds for which an ID token lives.
        id_token_lifetime_secs: Seconds, 60, 3600;
    }
    /// How long people stay signed in.
    session_cookie SessionLimits TenantSessionLimits {
        /// Seconds without use after which a session is over.
        idle_lifetime_secs: Seconds, 300, 7_776_000, up_to absolute_lifetime_secs;
        /// Seconds after which a session is over in any case.
        absolute_lifetime_secs: Seconds, 300, 31_536_000;
    }
    /// How long a trusted browser skips the second factor.
    two_factor TwoFactorLimits TenantTwoFactorLimits {
        /// Days for which a browser that a person trusts is not asked again; 0 asks each time.
        trusted_device_days: u32, 0, 90;
    }
    /// How long API keys live.
    api_keys ApiKeyLimits TenantApiKeyLimits {
        /// Days until a key lapses when its maker names no date.
        default_lifetime_days: u32, 1, 3650, up_to max_lifetime_days;
        /// Longest life in days that may be asked for.
        max_lifetime_days: u32, 1, 3650;
    }
    /// How long invitations wait.
    invitations InvitationLimits TenantInvitationLimits {
        /// Hours until an invitation lapses.
        lifetime_hours: u32, 1, 720;
    }
    /// How large organizations become.
    organizations OrganizationLimits TenantOrganizationLimits {
        /// Members of one organization.
        max_members: u32, 1, 1_000_000;
    }
}

impl Limits {
    /// Whether nothing is narrowed.
    pub fn is_empty(&self) -> bool {
        is_default(self)
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn within(name: &str, value: Option<i64>, (least, most): (i64, i64)) -> Result<()> {
    match value {
        Some(value) if !(least..=most).contains(&value) => {
            Err(Error::bad_request(format!("{name}: use {least} to {most}")))
        }
        _ => Ok(()),
    }
}

/// Refuses a value that is less than the one which it holds down, as the configuration does.
fn not_below(name: &str, value: Option<i64>, (lower, least): (&str, Option<i64>)) -> Result<()> {
    match (value, least) {
        (Some(value), Some(least)) if value < least => {
            Err(Error::bad_request(format!("{name}: use at least the {least} of {lower}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_narrows_and_does_not_widen() {
        let config = Config::default();
        let deployment = config.jwt.id_token_lifetime_secs;
        let with = |secs| Limits {
            jwt: JwtLimits { id_token_lifetime_secs: Some(secs), ..JwtLimits::default() },
            ..Limits::default()
        };
        let shorter = Seconds(deployment.0 - 1);
        assert_eq!(with(shorter).jwt.id_token_lifetime_secs(&config), shorter);
        assert_eq!(with(Seconds(deployment.0 * 2)).jwt.id_token_lifetime_secs(&config), deployment);
        assert_eq!(Limits::default().effective(&config).jwt.id_token_lifetime_secs, Some(deployment));
        assert!(with(Seconds(59)).check().is_err());
    }

    #[test]
    fn a_refresh_token_ends_no_earlier_than_the_access_token_next_to_it() {
        let with = |refresh: Option<i64>, access: Option<i64>| {
            let jwt = JwtLimits {
                refresh_token_lifetime_human_secs: refresh.map(Seconds),
                access_token_lifetime_human_secs: access.map(Seconds),
                ..JwtLimits::default()
            };
            Limits { jwt, ..Limits::default() }
        };
        for good in [with(Some(3600), Some(3600)), with(Some(3600), None), with(None, Some(86_400))] {
            good.check().unwrap();
        }
        let refused = with(Some(3600), Some(3601)).check().unwrap_err();
        assert!(refused.detail().starts_with("limits.jwt.refresh_token_lifetime_human_secs: "), "{refused}");
        assert!(with(Some(3599), None).check().is_err(), "no deployment has this one");
    }

    #[test]
    fn what_a_tenant_lowers_holds_down_what_the_deployment_has_below_it() {
        let mut config = Config::default();
        config.jwt.access_token_lifetime_human_secs = Seconds(7200);
        let limits = Limits {
            jwt: JwtLimits { refresh_token_lifetime_human_secs: Some(Seconds(3600)), ..JwtLimits::default() },
            session_cookie: SessionLimits {
                absolute_lifetime_secs: Some(Seconds(600)),
                ..SessionLimits::default()
            },
            api_keys: ApiKeyLimits { max_lifetime_days: Some(30), ..ApiKeyLimits::default() },
            ..Limits::default()
        };
        limits.check().unwrap();
        let effective = limits.effective(&config);
        assert_eq!(effective.jwt.access_token_lifetime_human_secs, Some(Seconds(3600)));
        assert_eq!(effective.session_cookie.idle_lifetime_secs, Some(Seconds(600)));
        assert_eq!(effective.api_keys.default_lifetime_days, Some(30));
        let usual = Limits::default().effective(&config);
        assert_eq!(usual.jwt.access_token_lifetime_human_secs, Some(Seconds(7200)));
    }

    #[test]
    fn a_session_ends_no_earlier_than_by_disuse_and_no_key_begins_with_more_than_it_may_have() {
        let session_cookie = SessionLimits {
            absolute_lifetime_secs: Some(Seconds(600)),
            idle_lifetime_secs: Some(Seconds(601)),
        };
        let session = Limits { session_cookie, ..Limits::default() };
        let api_keys = ApiKeyLimits { max_lifetime_days: Some(8), default_lifetime_days: Some(9) };
        let keys = Limits { api_keys, ..Limits::default() };
        for (limits, name) in
            [(session, "session_cookie.absolute_lifetime_secs"), (keys, "api_keys.max_lifetime_days")]
        {
            let refused = limits.check().unwrap_err();
            assert!(refused.detail().starts_with(&format!("limits.{name}: use at least")), "{refused}");
        }
    }
}
