//! Keycloak: `kc.sh export --users same_file`, a realm with `users` and their credentials.

use serde_json::{Value, json};
use svc_core::Secret;
use svc_domain::claims::profile::Profile;
use svc_domain::people::imports::{Format, InitialStatus, OldPassword, PersonLine};
use svc_keys::base64url;

use super::identities::{self, Members};
use super::record::{flag, list, members, millis, text, texts, username};

const IDENTITIES: Members<'_> = Members {
    list: "federatedIdentities",
    provider: "identityProvider",
    subject: "userId",
    label: "userName",
};

/// Roles that every realm has for Keycloak itself. They permit nothing here.
const BUILT_IN: &[&str] = &["offline_access", "uma_authorization"];
/// How the role begins that everyone in a realm has; its name follows.
const OF_EVERYONE: &str = "default-roles-";

/// The person of a member of `users`; `rp_id` is the relying party of the realm's passkeys, if that is known.
pub(super) fn person(user: &Value, rp_id: Option<&str>) -> PersonLine {
    // Keycloak keeps the service account of a client as a user.
    if text(user, "serviceAccountClientId").is_some() {
        return PersonLine::passed_over();
    }
    PersonLine {
        external_id: text(user, "id"),
        email: text(user, "email"),
        email_verified: flag(user, "emailVerified"),
        username: username(user, "username"),
        profile: profile(user),
        roles: roles(user),
        status: if user.get("enabled") == Some(&Value::Bool(false)) {
            InitialStatus::Suspended
        } else {
            InitialStatus::Active
        },
        created_at: millis(user, "createdTimestamp"),
        private_metadata: members(user, "attributes"),
        password_hash: password(user),
        factors: of_type(user, "otp").chain(of_type(user, "recovery-authn-codes")).cloned().collect(),
        passkeys: passkeys(user, rp_id),
        identities: identities::of(user, &IDENTITIES),
        ..PersonLine::default()
    }
}

fn profile(user: &Value) -> Profile {
    let (first, last) = (text(user, "firstName"), text(user, "lastName"));
    let names = [first.clone(), last.clone()].into_iter().flatten();
    Profile {
        name: names.reduce(|first, last| format!("{first} {last}")),
        given_name: first,
        family_name: last,
        ..Profile::default()
    }
}

/// The credentials of a type.
fn of_type<'a>(user: &'a Value, kind: &'static str) -> impl Iterator<Item = &'a Value> {
    list(user, "credentials").iter().filter(move |one| text(one, "type").as_deref() == Some(kind))
}

fn password(user: &Value) -> Option<OldPassword> {
    of_type(user, "password").next().map(|credential| OldPassword {
        format: Format::Keycloak,
        credential_data: text(credential, "credentialData"),
        secret_data: text(credential, "secretData").map(Secret::new),
        ..OldPassword::default()
    })
}

/// The passkeys, with what Keycloak does not write into each: the relying party, and the user handle, which is the person's id.
fn passkeys(user: &Value, rp_id: Option<&str>) -> Vec<Value> {
    let handle = text(user, "id").map(base64url);
    let passkeys = of_type(user, "webauthn-passwordless").chain(of_type(user, "webauthn"));
    let completed = |credential: &Value| {
        let mut credential = credential.clone();
        if let (Some(rp_id), Some(handle), Some(members)) = (rp_id, &handle, credential.as_object_mut()) {
            members.insert("rp_id".to_owned(), json!(rp_id));
            members.insert("user_handle".to_owned(), json!(handle));
        }
        credential
    };
    passkeys.map(completed).collect()
}

fn roles(user: &Value) -> Vec<String> {
    let mut roles = texts(user, "realmRoles");
    roles.retain(|role| !role.starts_with(OF_EVERYONE) && !BUILT_IN.contains(&role.as_str()));
    roles
}
