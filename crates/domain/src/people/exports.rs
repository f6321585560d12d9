//! The people of a tenant as lines that an import takes. What an import cannot take over stands in `kept`, and secrets are there
//! only where an operator asks for them.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value, json};
use svc_core::{Cx, Result, Secret, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_keys::Sealer;

use crate::claims::profile::Profile;
use crate::people::accounts;
use crate::people::credentials::identities::Identity;
use crate::people::credentials::totp::{self, Parameters};
use crate::people::credentials::{self, Credential, Kind};
use crate::people::guardians;
use crate::people::imports::{self, Known};
use crate::people::login_history::{self, Login};
use crate::people::tenant_users::{self, Person, Status};
use crate::people::terms::{self, Acceptance};

/// Most sign-ins of one person, the latest ones.
const MOST_SIGN_INS: u32 = 100;

/// A line of an import.
#[derive(Serialize)]
#[expect(missing_docs, reason = "members are those of the lines of an import")]
pub struct Exported {
    pub external_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    pub email_verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    pub profile: Profile,
    pub roles: Vec<String>,
    pub status: Status,
    pub created_at: Timestamp,
    #[serde(skip_serializing_if = "Map::is_empty")]
    public_metadata: Map<String, Value>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    private_metadata: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    passkeys: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    identities: Vec<Identity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    password_hash: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    factors: Vec<Value>,
    kept: Kept,
    /// Apps for one-time codes that are not in the line, because their secrets do not open: `crd_… of usr_…`.
    #[serde(skip)]
    pub unopened: Vec<String>,
}

/// What is kept of a person besides, and no import takes over.
#[derive(Serialize)]
struct Kept {
    sub: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject_type: Option<&'static str>,
    updated_at: Timestamp,
    groups: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    credentials: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    guardians: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    terms: Vec<Acceptance>,
    login_history: Vec<Login>,
}

/// The next members after the cursor who are active or suspended, and the cursor for those after them. `secrets` opens what an
/// operator asks for: hashes of passwords and secrets of apps, of accounts that the tenant manages.
pub async fn page(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (cursor, limit): (Option<TenantUserId>, u32),
    secrets: Option<&Sealer>,
) -> Result<(Vec<Exported>, Option<TenantUserId>)> {
    let people = tenant_users::list(tx, (cursor, limit)).await?;
    let (Some(first), Some(last)) = (people.first().map(|one| one.id), people.last().map(|one| one.id))
    else {
        return Ok((Vec::new(), None));
    };
    let next = Some(last).filter(|_| people.len() == limit as usize);
    let mut known: HashMap<_, _> = imports::list_known(tx, (first, last)).await?.into_iter().collect();
    for id in imports::list_ambiguous(tx, (first, last)).await? {
        if let Some(known) = known.get_mut(&id) {
            known.external_id = None;
        }
    }
    let mut lines = Vec::with_capacity(people.len());
    for person in people {
        if matches!(person.status, Status::Active | Status::Suspended) {
            let known = known.remove(&person.id).unwrap_or_default();
            lines.push(line(tx, cx, (person, known), secrets).await?);
        }
    }
    Ok((lines, next))
}

async fn line(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (person, known): (Person, Known),
    secrets: Option<&Sealer>,
) -> Result<Exported> {
    let login_history = login_history::list(tx, person.id, None, (None, MOST_SIGN_INS)).await?;
    let accepted = terms::accepted(tx, person.id).await?;
    if !accounts::is_managed(tx, person.account_id).await? {
        // Of an account that the tenant does not manage it has what the API shows, and no more.
        let name = person.profile.name.clone();
        let profile = Profile { name, ..Profile::default() };
        return Ok(Exported::of(Person { profile, ..person }, known, (login_history, accepted)));
    }
    let all = credentials::of_account(tx, person.account_id).await?;
    let (account, id, password) = (person.account_id, person.id, person.password.clone());
    let mut line = Exported::of(person, known, (login_history, accepted));
    line.passkeys = credentials::passkeys_to_import(&all, account)?;
    line.identities = credentials::identities_to_import(&all)?;
    line.kept.credentials = all.iter().map(credentials::described).collect::<Result<_>>()?;
    line.kept.guardians = guardians_of(tx, cx, id).await?;
    if let Some(sealer) = secrets {
        line.password_hash = password.map(|hash| json!({ "value": hash }));
        let apps = all.iter().filter(|one| one.kind == Some(Kind::Totp));
        for (app, sealed) in apps.filter_map(|app| Some((app, app.sealed.clone()?))) {
            match totp::open(sealed, app.id, sealer) {
                Ok(secret) => line.factors.push(factor(app, &secret)?),
                Err(_) => line.unopened.push(format!("{} of {id}", app.id)),
            }
        }
    }
    Ok(line)
}

async fn guardians_of(tx: &mut Tx<Tenant>, cx: &Cx, person: TenantUserId) -> Result<Option<Value>> {
    let chosen = guardians::of_person(tx, cx, person).await?;
    if chosen.is_empty() {
        return Ok(None);
    }
    let rules = guardians::rules(tx, person).await?;
    let people = chosen.iter().map(
        |one| json!({ "email": one.email, "invited_at": one.created_at, "accepted_at": one.accepted_at }),
    );
    Ok(Some(json!({
        "threshold": rules.as_ref().map(|rules| rules.threshold),
        "wait_secs": rules.as_ref().map(|rules| rules.wait.0),
        "people": people.collect::<Vec<_>>(),
    })))
}

/// An app for one-time codes as an import takes it.
fn factor(app: &Credential, secret: &Secret) -> Result<Value> {
    let Parameters { algorithm, digits, period } = app.document()?;
    Ok(json!({
        "type": "totp", "name": app.name, "secret": secret.expose(),
        "algorithm": algorithm, "digits": digits, "period": period,
    }))
}

impl Exported {
    fn of(person: Person, known: Known, (login_history, terms): (Vec<Login>, Vec<Acceptance>)) -> Self {
        let subject_type = person.is_guest().then_some(imports::GUEST);
        Self {
            external_id: known.external_id.unwrap_or_else(|| person.id.to_string()),
            email: person.email,
            email_verified: person.email_verified,
            username: person.username,
            profile: person.profile,
            roles: person.own_roles,
            status: person.status,
            created_at: known.created_at.unwrap_or(person.created_at),
            public_metadata: person.metadata.public,
            private_metadata: person.metadata.private,
            passkeys: Vec::new(),
            identities: Vec::new(),
            password_hash: None,
            factors: Vec::new(),
            kept: Kept {
                sub: person.subject,
                subject_type,
                updated_at: person.updated_at,
                groups: person.groups,
                credentials: Vec::new(),
                guardians: None,
                terms,
                login_history,
            },
            unopened: Vec::new(),
        }
    }
}
