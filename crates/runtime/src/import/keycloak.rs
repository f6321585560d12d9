//! Keycloak: `kc.sh export --users same_file`, a realm with `users` and their credentials.

use serde_json::Value;
use svc_core::Secret;
use svc_domain::claims::profile::Profile;
use svc_domain::people::imports::{Format, InitialStatus, OldPassword, PersonLine};

use super::record::{flag, list, members, millis, text, texts, username};

/// The person of a member of `users`.
pub(super) fn person(user: &Value) -> PersonLine {
    let of_type = |kind: &'static str| {
        list(user, "credentials").iter().filter(move |one| text(one, "type").as_deref() == Some(kind))
    };
    let password = of_type("password").next().map(|credential| OldPassword {
        format: Format::Keycloak,
        credential_data: text(credential, "credentialData"),
        secret_data: text(credential, "secretData").map(Secret::new),
        ..OldPassword::default()
    });
    let passkeys = of_type("webauthn-passwordless").chain(of_type("webauthn")).cloned().collect();
    PersonLine {
        external_id: text(user, "id"),
        email: text(user, "email"),
        email_verified: flag(user, "emailVerified"),
        username: username(user, "username"),
        profile: Profile {
            name: [text(user, "firstName"), text(user, "lastName")]
                .into_iter()
                .flatten()
                .reduce(|first, last| format!("{first} {last}")),
            given_name: text(user, "firstName"),
            family_name: text(user, "lastName"),
            ..Profile::default()
        },
        roles: texts(user, "realmRoles"),
        status: if user.get("enabled") == Some(&Value::Bool(false)) {
            InitialStatus::Suspended
        } else {
            InitialStatus::Active
        },
        created_at: millis(user, "createdTimestamp"),
        private_metadata: members(user, "attributes"),
        password_hash: password,
        factors: of_type("otp").cloned().collect(),
        passkeys,
        ..PersonLine::default()
    }
}
