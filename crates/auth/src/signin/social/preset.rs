//! Well-known providers: where they are, what they are asked for, and how they speak of people. One entry each.

use svc_config::{Social, SocialProvider};

use super::provider::{Belief, Reads, Secrecy};
use crate::signin::provider::{Endpoints, Renewal, Speaks};

/// A well-known provider.
pub struct Preset {
    /// What it is called in addresses, and in the configuration.
    pub id: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// Our registration there.
    pub registered: fn(&Social) -> &SocialProvider,
    /// How it speaks, and where: at a server of the operator's own, if that is given.
    pub speaks: fn(Option<&str>) -> Speaks,
    /// What it is asked for.
    pub scopes: &'static [&'static str],
    /// Where the secret goes.
    pub secrecy: Secrecy,
    /// Whether it takes a challenge.
    pub uses_pkce: bool,
    /// How it is asked for a fresh sign-in.
    pub renewal: Renewal,
    /// Whether it refuses a long `state`.
    pub wants_short_state: bool,
    /// How it speaks of people.
    pub reads: Reads<&'static str>,
}

const OPENID: &[&str] = &["openid", "profile", "email"];
const STANDARD: Reads<&str> = Reads {
    subject: "sub",
    email: "email",
    name: "name",
    label: "email",
    belief: Belief::Claim("email_verified"),
};

/// Every one.
pub const PRESETS: &[Preset] = &[
    Preset {
        id: "google",
        name: "Google",
        registered: |social| &social.google,
        speaks: |own| openid(own.unwrap_or("https://accounts.google.com")),
        scopes: OPENID,
        secrecy: Secrecy::Post,
        uses_pkce: true,
        renewal: Renewal::CHOICE,
        wants_short_state: false,
        reads: STANDARD,
    },
    Preset {
        id: "github",
        name: "GitHub",
        registered: |social| &social.github,
        speaks: github,
        scopes: &["read:user", "user:email"],
        secrecy: Secrecy::Post,
        uses_pkce: true,
        renewal: Renewal::CHOICE,
        wants_short_state: false,
        reads: Reads {
            subject: "id",
            email: "email",
            name: "name",
            label: "login",
            belief: Belief::List("/emails"),
        },
    },
    Preset {
        id: "microsoft",
        name: "Microsoft",
        registered: |social| &social.microsoft,
        speaks: microsoft,
        scopes: OPENID,
        secrecy: Secrecy::Post,
        uses_pkce: true,
        renewal: Renewal::LOGIN,
        wants_short_state: false,
        // Any directory may put any address into `email`; this claim says that its domain is the directory's.
        reads: Reads { belief: Belief::Claim("xms_edov"), ..STANDARD },
    },
    Preset {
        id: "gitlab",
        name: "GitLab",
        registered: |social| &social.gitlab,
        speaks: |own| openid(own.unwrap_or("https://gitlab.com")),
        scopes: OPENID,
        secrecy: Secrecy::Post,
        uses_pkce: true,
        renewal: Renewal::Standard,
        wants_short_state: false,
        reads: STANDARD,
    },
    Preset {
        id: "discord",
        name: "Discord",
        registered: |social| &social.discord,
        speaks: discord,
        scopes: &["identify", "email"],
        secrecy: Secrecy::Post,
        uses_pkce: true,
        renewal: Renewal::CONSENT,
        wants_short_state: false,
        reads: Reads {
            subject: "id",
            email: "email",
            name: "global_name",
            label: "username",
            belief: Belief::Claim("verified"),
        },
    },
    Preset {
        id: "facebook",
        name: "Facebook",
        registered: |social| &social.facebook,
        speaks: facebook,
        scopes: &["public_profile", "email"],
        secrecy: Secrecy::Post,
        uses_pkce: true,
        renewal: Renewal::By("auth_type", "reauthenticate"),
        wants_short_state: false,
        // It does not say whether it has proven an address.
        reads: Reads { subject: "id", label: "name", belief: Belief::Never, ..STANDARD },
    },
    Preset {
        id: "linkedin",
        name: "LinkedIn",
        registered: |social| &social.linkedin,
        speaks: linkedin,
        scopes: OPENID,
        secrecy: Secrecy::Post,
        // It refuses parameters that it does not know, and its ID tokens repeat no nonce.
        uses_pkce: false,
        renewal: Renewal::Unknown,
        wants_short_state: false,
        reads: STANDARD,
    },
    Preset {
        id: "x",
        name: "X",
        registered: |social| &social.x,
        speaks: x,
        scopes: &["users.read", "tweet.read", "users.email"],
        secrecy: Secrecy::Basic,
        uses_pkce: true,
        renewal: Renewal::Unknown,
        // It refuses more than 500 characters.
        wants_short_state: true,
        reads: Reads {
            subject: "/data/id",
            email: "/data/confirmed_email",
            name: "/data/name",
            label: "/data/username",
            belief: Belief::Given,
        },
    },
    Preset {
        id: "slack",
        name: "Slack",
        registered: |social| &social.slack,
        speaks: |own| openid(own.unwrap_or("https://slack.com")),
        scopes: OPENID,
        secrecy: Secrecy::Post,
        uses_pkce: false,
        renewal: Renewal::Unknown,
        wants_short_state: false,
        reads: STANDARD,
    },
    Preset {
        id: "spotify",
        name: "Spotify",
        registered: |social| &social.spotify,
        speaks: spotify,
        scopes: &["user-read-email"],
        secrecy: Secrecy::Basic,
        uses_pkce: true,
        renewal: Renewal::By("show_dialog", "true"),
        wants_short_state: false,
        // It does not say whether it has proven an address.
        reads: Reads { subject: "id", name: "display_name", belief: Belief::Never, ..STANDARD },
    },
];

fn openid(at: &str) -> Speaks {
    Speaks::OpenId { at: at.to_owned(), issuer: at.to_owned() }
}

fn oauth(name: &str, [authorization_endpoint, token_endpoint, userinfo_endpoint]: [String; 3]) -> Speaks {
    let name = name.to_owned();
    Speaks::Oauth(Endpoints { authorization_endpoint, token_endpoint, userinfo_endpoint, name })
}

/// Any directory, and personal accounts.
fn microsoft(own: Option<&str>) -> Speaks {
    let base = own.unwrap_or("https://login.microsoftonline.com").trim_end_matches('/');
    Speaks::OpenId { at: format!("{base}/common/v2.0"), issuer: format!("{base}/{{tenantid}}/v2.0") }
}

fn github(own: Option<&str>) -> Speaks {
    let base = own.unwrap_or("https://github.com").trim_end_matches('/');
    let api = own.map_or_else(|| "https://api.github.com".to_owned(), |_| format!("{base}/api/v3"));
    oauth(
        base,
        [
            format!("{base}/login/oauth/authorize"),
            format!("{base}/login/oauth/access_token"),
            format!("{api}/user"),
        ],
    )
}

fn discord(own: Option<&str>) -> Speaks {
    let base = own.unwrap_or("https://discord.com").trim_end_matches('/');
    oauth(
        base,
        [
            format!("{base}/oauth2/authorize"),
            format!("{base}/api/oauth2/token"),
            format!("{base}/api/users/@me"),
        ],
    )
}

/// Where the pages and the API of a provider are: both at a server of the operator's own.
fn hosts<'a>(own: Option<&'a str>, [page, api]: [&'a str; 2]) -> (&'a str, &'a str) {
    own.map_or((page, api), |own| (own.trim_end_matches('/'), own.trim_end_matches('/')))
}

fn facebook(own: Option<&str>) -> Speaks {
    let (page, graph) = hosts(own, ["https://www.facebook.com", "https://graph.facebook.com"]);
    oauth(
        page,
        [
            format!("{page}/v23.0/dialog/oauth"),
            format!("{graph}/v23.0/oauth/access_token"),
            format!("{graph}/v23.0/me?fields=id,name,email"),
        ],
    )
}

fn linkedin(own: Option<&str>) -> Speaks {
    let (page, api) = hosts(own, ["https://www.linkedin.com", "https://api.linkedin.com"]);
    oauth(
        page,
        [
            format!("{page}/oauth/v2/authorization"),
            format!("{page}/oauth/v2/accessToken"),
            format!("{api}/v2/userinfo"),
        ],
    )
}

fn x(own: Option<&str>) -> Speaks {
    let (page, api) = hosts(own, ["https://x.com", "https://api.x.com"]);
    oauth(
        page,
        [
            format!("{page}/i/oauth2/authorize"),
            format!("{api}/2/oauth2/token"),
            format!("{api}/2/users/me?user.fields=confirmed_email"),
        ],
    )
}

fn spotify(own: Option<&str>) -> Speaks {
    let (page, api) = hosts(own, ["https://accounts.spotify.com", "https://api.spotify.com"]);
    oauth(page, [format!("{page}/authorize"), format!("{page}/api/token"), format!("{api}/v1/me")])
}
