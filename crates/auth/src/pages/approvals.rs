//! The data of the pages on which a person allows applications something: consent (OpenID Connect Core §3.1.2.4), and
//! requests from elsewhere (RFC 8628 §3.3, OpenID CIBA §10).

use svc_core::Scope;
use svc_domain::apis::Api;
use svc_domain::apps::App as Application;

use super::declare::page;
use super::forms::{Form, Organization};
use super::scopes::{rank, scope};
use super::support::SupportRequest;
use super::values::{ForeignLink, Image, Line, Link, Name, Sentences, Verbatim};

page! {
    /// The consent form: buttons `consent-allow` and `consent-deny`, both named `decision`.
    pub struct Consent for "consent" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// Who asks.
        pub app: App,
        /// Who is signed in: an e-mail address or a name.
        pub account: Line,
        /// Sign in as another person.
        pub switch_url: Option<Link>,
        /// What is asked for.
        pub asked: RequestedAccess,
        /// The organization in which the tokens count.
        pub organization: Option<Name>,
        /// Where the answer goes: a host, or the scheme of a native application.
        pub destination: Line,
        /// Where the person can take back what they allow.
        pub access_url: Option<Link>,
    }

    /// An application as it presents itself; links that are not web addresses are left out.
    pub struct App {
        /// Its name.
        pub name: Name,
        /// The letters that stand in for a missing picture.
        pub initials: Name,
        /// Its picture.
        pub logo_url: Option<Image>,
        /// Its home page.
        pub home_url: Option<ForeignLink>,
        /// Its privacy policy.
        pub policy_url: Option<ForeignLink>,
        /// Its terms of service.
        pub tos_url: Option<ForeignLink>,
        /// Whether the tenant does not operate it.
        pub is_foreign: bool,
        /// Whether it registered itself, so that no one has checked what it says.
        pub is_unverified: bool,
    }

    /// What an application asks for, in the order in which people expect it.
    pub struct RequestedAccess {
        /// About the person.
        pub identity: Vec<ScopeText>,
        /// Of an API.
        pub access: Vec<ScopeText>,
        /// The API's name.
        pub api_name: Option<Name>,
        /// In detail.
        pub details: Sentences,
        /// Whether the access goes on while the person is away.
        pub is_offline: bool,
    }

    /// One scope: the standard ones have sentences of ours, others bring a description.
    pub struct ScopeText {
        /// The scope token.
        pub name: Line,
        /// The id of our sentence.
        pub id: Option<&'static str>,
        /// What it means, as the API's owner wrote it.
        pub description: Option<Line>,
        /// Whether it allows more than to read.
        pub is_write: bool,
    }

    /// What a person has allowed applications: buttons `access-remove-0` and so on, named `app`.
    pub struct Access for "access" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// Who is signed in.
        pub account: Line,
        /// Sign in as another person.
        pub switch_url: Option<Link>,
        /// The applications.
        pub allowed: Vec<Allowed>,
    }

    /// What one application of [`Access`] may do.
    pub struct Allowed {
        /// The value that the button sends.
        pub value: Verbatim,
        /// The application.
        pub app: App,
        /// What it may do.
        pub asked: RequestedAccess,
    }

    /// The form for the code of a device: input `user_code`, button `device-submit`.
    pub struct DeviceCode for "device_code" {
        /// The form.
        #[serde(flatten)]
        pub form: Form,
        /// What the code starts with; it is never sent without the person.
        pub user_code: Line,
        /// Who is signed in.
        pub account: Line,
        /// Sign in as another person.
        pub switch_url: Option<Link>,
    }

    /// The requests that wait for a person, each with a form of its own: buttons `approval-allow-0` and
    /// `approval-deny-0`, both named `decision`, and so on.
    pub struct Approvals for "approvals" {
        /// Where the forms are sent.
        pub action: Link,
        /// Who is signed in.
        pub account: Line,
        /// Sign in as another person.
        pub switch_url: Option<Link>,
        /// Where the code of a device is entered.
        pub device_url: Option<Link>,
        /// The requests.
        pub requests: Vec<Approval>,
        /// Those of support staff.
        pub support: Vec<SupportRequest>,
    }

    /// One request of [`Approvals`].
    pub struct Approval {
        /// The sealed state, the hidden input `flow`.
        pub flow: Verbatim,
        /// Who asks.
        pub app: App,
        /// The code that the person's device shows.
        pub user_code: Option<Line>,
        /// What the application shows at the other place.
        pub binding_message: Option<Line>,
        /// What is asked for.
        pub asked: RequestedAccess,
        /// The organization in which the tokens count, where there is nothing to choose: the hidden input `organization`, so that the
        /// answer counts there alone.
        pub organization: Option<Organization>,
        /// Where the person has to choose the organization in which the tokens count: inputs `organization`.
        pub organizations: Vec<Organization>,
        /// Minutes until it expires.
        pub minutes: i64,
    }
}

/// The scope that asks for a refresh token (OpenID Connect Core §11).
const OFFLINE_ACCESS: &str = "offline_access";
/// Words in the names of scopes that allow more than to read.
const CHANGES: &[&str] =
    &["write", "manage", "admin", "create", "update", "edit", "delete", "send", "approve", "call", "pay"];

impl RequestedAccess {
    /// These scopes and details in the words of their API, as far as it is known.
    pub fn at(api: Option<&Api>, scope: &Scope, details: Sentences) -> Self {
        let scopes = scope.iter().map(|name| (name, api.and_then(|api| api.description_of(name))));
        Self::of(scopes, api.map(|api| api.configuration.name.as_str()), details)
    }

    /// Sorts what is asked for: about the person, then of the API, and last what outlives the person's presence.
    pub fn of<'a>(
        scopes: impl Iterator<Item = (&'a str, Option<&'a str>)>,
        api_name: Option<&str>,
        details: Sentences,
    ) -> Self {
        let mut asked = Self { api_name: api_name.map(Into::into), details, ..Self::default() };
        for (name, description) in scopes {
            let text = ScopeText {
                name: name.into(),
                id: scope(name),
                description: description.map(Into::into),
                is_write: name.split(|c: char| !c.is_alphanumeric()).any(|word| CHANGES.contains(&word)),
            };
            match text.id {
                _ if name == OFFLINE_ACCESS => asked.is_offline = true,
                Some(_) => asked.identity.push(ScopeText { is_write: false, ..text }),
                None => asked.access.push(text),
            }
        }
        asked.identity.sort_by_key(|text| text.id.map(rank));
        asked
    }
}

impl App {
    /// An application as it presents itself, and as we know it.
    pub fn of(app: &Application) -> Self {
        let configuration = &app.configuration;
        // What is known by an address is shown with it: the name alone is what the application says of itself.
        let document = app.is_document().then_some(&app.handle);
        Self {
            name: (&configuration.name).into(),
            initials: initials(&configuration.name).into(),
            logo_url: configuration.logo_uri.as_ref().map(Into::into),
            home_url: configuration.client_uri.as_ref().or(document).map(Into::into),
            policy_url: configuration.policy_uri.as_ref().map(Into::into),
            tos_url: configuration.tos_uri.as_ref().map(Into::into),
            is_foreign: !configuration.first_party,
            is_unverified: app.is_self_registered(),
        }
    }
}

/// The first letters of the first two words of a name.
fn initials(name: &str) -> String {
    let letters = name.split_whitespace().filter_map(|word| word.chars().find(|c| c.is_alphanumeric()));
    letters.take(2).flat_map(char::to_uppercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_comes_first_then_the_api_and_offline_access_apart() {
        let scopes = ["offline_access", "notes:write", "email", "notes:read", "openid", "claim:name"];
        let asked =
            RequestedAccess::of(scopes.iter().map(|name| (*name, None)), Some("Notes"), Sentences::default());
        let names = |texts: &[ScopeText]| texts.iter().map(|text| text.name.clone()).collect::<Vec<_>>();
        assert_eq!(
            names(&asked.identity),
            ["openid", "email", "claim:name"].map(Line::from),
            "as the table has them"
        );
        assert_eq!(names(&asked.access), ["notes:write", "notes:read"].map(Line::from));
        assert_eq!(asked.access.iter().map(|text| text.is_write).collect::<Vec<_>>(), [true, false]);
        assert!(asked.is_offline);
    }

    #[test]
    fn initials_are_letters_of_the_first_two_words() {
        assert_eq!(initials("third-party Demo of Acme"), "TD");
        assert_eq!(initials("  (shop)"), "S");
        assert_eq!(initials("\u{202E}"), "");
    }
}
