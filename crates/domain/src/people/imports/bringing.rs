//! One line after the other: who it is about, whether it may be, and what becomes of it.
//!
//! A line is judged by reads alone before anything of it is written, so that a refusal leaves the transaction as it was.

use serde_json::{Map, Value};
use svc_core::{AccountId, Class, Cx, Error, OrInternal as _, Result, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_keys::Sealer;
use svc_keys::password::foreign::ForeignHash;

use super::brought::Brought;
use super::kept;
use super::lines::{InitialStatus, PersonLine};
use super::progress::{ChunkOutcome, Fault, Import, OnConflict, Outcome};
use crate::apis::roles;
use crate::claims::profile::Profile;
use crate::people::accounts::{self, Email, NewAccount};
use crate::people::changes;
use crate::people::tenant_users::{self, Metadata, NewMember, Person, Status};
use crate::tenancy::quotas::{self, Quota};

/// What an import brings people with.
#[derive(Clone, Copy)]
pub struct Bringing<'a> {
    /// The import.
    pub import: &'a Import,
    /// Seals what is kept for the tenant: factors that are not understood.
    pub sealer: &'a Sealer,
    /// Seals the secrets of accounts, which are the deployment's.
    pub accounts: &'a Sealer,
}

/// A line as it was read, or what is wrong with it. A caller that may not give the roles of a line refuses it here.
pub type Line = Result<PersonLine>;

/// What is to become of a line.
enum Plan {
    Create(Box<NewPerson>),
    Link(AccountId),
    Update(Box<Person>),
    Skip,
}

/// What a new account begins with.
struct NewPerson {
    email: Option<Email>,
    hash: Option<ForeignHash>,
    brought: Brought,
}

/// Brings the people of a chunk, whose accounts are held by then: [`crate::people::several::hold_newcomers`]. Fails as a whole where the
/// deployment is at fault, or another request came between.
pub async fn bring(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    bringing: Bringing<'_>,
    lines: &[Line],
) -> Result<ChunkOutcome> {
    let mut outcome = ChunkOutcome::default();
    for line in lines {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                outcome.note(Err(Fault::every(error)));
                continue;
            }
        };
        match judge(tx, bringing.import, line).await {
            Ok(plan) => outcome.note(Ok(act(tx, cx, bringing, (line, plan)).await?)),
            Err(error) if is_of_line(&error) => outcome.note(Err(Fault::every(&error))),
            Err(error) => return Err(error),
        }
    }
    Ok(outcome)
}

fn is_of_line(error: &Error) -> bool {
    matches!(error.class(), Class::BadRequest | Class::Conflict | Class::Forbidden | Class::NotFound)
}

async fn judge(tx: &mut Tx<Tenant>, import: &Import, line: &PersonLine) -> Result<Plan> {
    if line.is_of_guest() {
        return Ok(Plan::Skip);
    }
    let email = line.check()?;
    let hash = line.password_hash.as_ref().map(super::OldPassword::read).transpose()?;
    let brought = Brought::read(line)?;
    roles::check_known(tx, &line.roles).await?;
    if let Some(person) = present(tx, import, line, email.as_ref()).await? {
        return match import.configuration.on_conflict {
            OnConflict::Skip => Ok(Plan::Skip),
            OnConflict::Fail => Err(Error::conflict("email: this person is a member")),
            OnConflict::Update => {
                check_name(tx, line, Some(person.id)).await?;
                Ok(Plan::Update(Box::new(person)))
            }
        };
    }
    check_name(tx, line, None).await?;
    quotas::check(tx, Quota::TenantUsers).await?;
    let known = match &email {
        Some(email) => accounts::find_by_email(tx, email).await?,
        None => None,
    };
    match known {
        None => {
            brought.check_free(tx).await?;
            Ok(Plan::Create(Box::new(NewPerson { email, hash, brought })))
        }
        Some(_) if line.status == InitialStatus::Suspended => {
            Err(Error::conflict("status: an account has this address already; import those who may sign in"))
        }
        Some(account) => Ok(Plan::Link(account.id)),
    }
}

/// The member whom a line is about: by the other system's id, the address or the sign-in name.
async fn present(
    tx: &mut Tx<Tenant>,
    import: &Import,
    line: &PersonLine,
    email: Option<&Email>,
) -> Result<Option<Person>> {
    if let Some(external_id) = &line.external_id
        && let Some(id) = kept::find_by_external_id(tx, &import.configuration.source, external_id).await?
    {
        return tenant_users::find(tx, id).await;
    }
    match (email, &line.username) {
        (Some(email), _) => tenant_users::find_by_identifier(tx, email.as_str()).await,
        (None, Some(username)) => tenant_users::find_by_identifier(tx, username).await,
        (None, None) => Ok(None),
    }
}

/// The member whose claims a line would change, if it would.
pub async fn whose_claims(tx: &mut Tx<Tenant>, import: &Import, line: &PersonLine) -> Result<Option<Person>> {
    if import.configuration.on_conflict != OnConflict::Update || line.claims() == Profile::default() {
        return Ok(None);
    }
    let Some(person) = present(tx, import, line, line.address().as_ref()).await? else { return Ok(None) };
    let is_managed = accounts::is_managed(tx, person.account_id).await?;
    Ok(is_managed.then_some(person))
}

async fn check_name(tx: &mut Tx<Tenant>, line: &PersonLine, of: Option<TenantUserId>) -> Result<()> {
    let Some(username) = &line.username else { return Ok(()) };
    match tenant_users::find_by_identifier(tx, username).await? {
        Some(other) if Some(other.id) != of => Err(Error::conflict("username: another member has this one")),
        _ => Ok(()),
    }
}

async fn act(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    bringing: Bringing<'_>,
    (line, plan): (&PersonLine, Plan),
) -> Result<Outcome> {
    let (username, roles, metadata) = (line.username.as_deref(), &line.roles, line.metadata());
    let member = |account| NewMember { account, username, roles, metadata: Some(&metadata) };
    let mut unknown = None;
    let outcome = match plan {
        Plan::Skip => return Ok(Outcome::Skipped),
        Plan::Create(new) => {
            let NewPerson { email, hash, mut brought } = *new;
            let password = hash.map(|hash| hash.as_str().to_owned());
            let new =
                NewAccount { email, email_verified: false, password, profile: brought.claims(line.claims()) };
            let account = accounts::create_managed(tx, cx, &new).await?;
            let id = tenant_users::create(tx, cx, member(account)).await?;
            let person = created(tx, id).await?;
            unknown = brought.unknown.take();
            brought.give(tx, cx, (&person, bringing.accounts)).await?;
            if line.status == InitialStatus::Suspended {
                tenant_users::set_status(tx, cx, &person, Status::Suspended).await?;
            }
            Outcome::Created(id)
        }
        Plan::Link(account) => Outcome::Linked(tenant_users::provision(tx, cx, member(account)).await?),
        Plan::Update(person) => {
            update(tx, cx, &person, line).await?;
            Outcome::Updated(person.id)
        }
    };
    let (Outcome::Created(id) | Outcome::Updated(id) | Outcome::Linked(id)) = outcome else {
        return Ok(outcome);
    };
    kept::keep(
        tx,
        cx,
        (&bringing.import.configuration.source, bringing.sealer),
        (id, line, unknown.as_ref()),
    )
    .await?;
    Ok(outcome)
}

async fn created(tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<Person> {
    let person = tenant_users::find(tx, id).await?;
    person.ok_or_else(|| Error::internal("a membership vanished in its own transaction"))
}

/// Adds roles and takes none away; metadata and claims that the line does not have stay. The claims are changed
/// where the tenant manages the account; its password never is.
async fn update(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, line: &PersonLine) -> Result<()> {
    // The account before the membership, as in `credentials::hold`.
    let said = line.claims();
    if said != Profile::default() && accounts::is_managed(tx, person.account_id).await? {
        let present = changes::held_profile(tx, person).await?;
        changes::set_profile(tx, cx, person, &merged(&present, &said)?).await?;
    }
    let added = line.roles.iter().filter(|role| !person.own_roles.contains(role));
    let all: Vec<_> = person.own_roles.iter().chain(added).cloned().collect();
    tenant_users::set_roles(tx, cx, person, &all).await?;
    if let Some(username) = &line.username {
        tenant_users::set_username(tx, cx, person, Some(username)).await?;
    }
    let Metadata { public, private } = line.metadata();
    let or_present = |said: Map<String, Value>, present: &Map<String, Value>| {
        if said.is_empty() { present.clone() } else { said }
    };
    let wanted = Metadata {
        public: or_present(public, &person.metadata.public),
        private: or_present(private, &person.metadata.private),
    };
    tenant_users::set_metadata(tx, cx, person.id, (&person.metadata, &wanted)).await.map(drop)
}

/// The claims of a line, and the present ones that it does not have. A number that was proven stays.
fn merged(present: &Profile, said: &Profile) -> Result<Profile> {
    let mut claims = present.claims();
    claims.extend(said.claims());
    let mut claims: Profile = serde_json::from_value(Value::Object(claims)).or_internal()?;
    if present.phone_number_verified {
        claims.phone_number.clone_from(&present.phone_number);
        claims.phone_number_verified = true;
    }
    Ok(claims)
}
