//! One person of a file: the account, which is the deployment's, and the membership, which is the tenant's.

use serde::Serialize;
use svc_core::{AccountId, Cx, Error};
use svc_db::{System, Tenant, Tx};
use svc_domain::apis::roles;
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::changes;
use svc_domain::people::operators;
use svc_domain::people::several::{self, Moving};
use svc_domain::people::tenant_users::{self, Metadata, NewMember, Person, Status};
use svc_domain::scim;

use super::User;
use super::change::{self, Change};
use super::group;
use super::outcome::{Outcome, Record, Verb};
use crate::failure::Failure;

/// Holds the accounts that these tenants are to have as members, and those of members who are to be suspended or let in again, before
/// anything else is held: a person who joins one of them meanwhile holds the account first, too.
pub(super) async fn hold_people(tx: &mut Tx<System>, tenants: &[super::Tenant]) -> Result<(), Failure> {
    let users =
        || tenants.iter().flat_map(|tenant| tenant.user.iter().map(move |user| (tenant.slug.as_str(), user)));
    let joining = users().filter_map(|(tenant, user)| {
        let email = Email::parse(user.email.as_deref()?).ok()?;
        Some((tenant, email))
    });
    let moving = users().filter_map(|(tenant, user)| {
        let from = if user.suspended? { Status::Active } else { Status::Suspended };
        Some(Moving { tenant, identifier: user.name(), from })
    });
    let (joining, moving): (Vec<_>, Vec<_>) = (joining.collect(), moving.collect());
    Ok(several::hold_of_tenants(tx, &joining, &moving).await?)
}

/// Makes a person so; `hash` is the password that a new account begins with.
pub(super) async fn apply(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (wanted, hash): (&User, Option<&str>),
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    if wanted.name().is_empty() {
        return Err(Failure::new("a user needs a username or an email"));
    }
    Error::every([
        wanted.email.as_deref().map_or(Ok(()), |email| Email::parse(email).map(|_| ())),
        tenant_users::check(wanted.username.as_deref(), wanted.roles.as_deref().unwrap_or_default()),
    ])?;
    let email = wanted.email.as_deref().map(Email::parse).transpose()?;
    roles::check_known(tx, wanted.roles.as_deref().unwrap_or_default()).await?;
    let mut record = Record::new(Verb::Created, "user", wanted.name());
    let present = tenant_users::find_by_identifier(tx, wanted.name()).await?;
    // What a directory has said of the person stays, in whatever form.
    let known = present.as_ref().map(|person| &person.profile);
    if let Some(claims) = wanted.claims.as_ref().filter(|claims| Some(*claims) != known) {
        claims.check("claims")?;
    }
    if let Some(present) = present {
        let asked = wanted.roles.as_deref().unwrap_or(&present.own_roles);
        let roles = operators::with_own_role(tx, &present, asked).await?;
        record.changes = differences(&present, (wanted, &roles));
        record.verb = Verb::of_change(update(tx, cx, &present, (wanted, email)).await?);
    } else {
        create(tx, cx, wanted, email, hash).await?;
    }
    let mut further = Vec::new();
    if let Some(names) = &wanted.groups
        && let Some(person) = tenant_users::find_by_identifier(tx, wanted.name()).await?
    {
        further.extend(group::join(tx, cx, (&person, names)).await?);
    }
    further.extend(suspend(tx, cx, wanted).await?);
    if !further.is_empty() && record.verb != Verb::Created {
        if record.verb == Verb::Unchanged {
            record.changes.clear();
        }
        record.verb = Verb::Updated;
        record.changes.extend(further);
    }
    outcome.note(record);
    Ok(())
}

/// Suspends a person, or ends that, as the file says; returns what changed.
async fn suspend(tx: &mut Tx<Tenant>, cx: &Cx, wanted: &User) -> Result<Option<Change>, Failure> {
    let Some(suspended) = wanted.suspended else { return Ok(None) };
    // In the version that it has by now.
    let person = tenant_users::find_by_identifier(tx, wanted.name()).await?;
    let Some(person) = person else { return Ok(None) };
    if (person.status == Status::Suspended) == suspended {
        // Whom the directory has suspended it would let in again, unless the tenant wants the person out, too.
        let is_taken_over = suspended && scim::users::take_over_suspension(tx, cx, &person).await?;
        return Ok(is_taken_over.then(|| Change::of("suspended", "by the directory", true)));
    }
    if suspended && person.status != Status::Active {
        return Err(Failure::new("suspended: the person has yet to join, and can be suspended after that"));
    }
    let to = if suspended { Status::Suspended } else { Status::Active };
    tenant_users::set_status(tx, cx, &person, to).await?;
    if to == Status::Active {
        scim::users::let_in(tx, person.id);
    }
    Ok(Some(Change::of("suspended", !suspended, suspended)))
}

async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    wanted: &User,
    email: Option<Email>,
    hash: Option<&str>,
) -> Result<(), Failure> {
    let known = match &email {
        Some(email) => accounts::find_by_email(tx, email).await?,
        None => None,
    };
    let account = if let Some(account) = &known {
        not_yet_member(tx, account.id).await?
    } else {
        let new = NewAccount {
            email: email.clone(),
            email_verified: wanted.email_verified,
            password: hash.map(str::to_owned),
            profile: wanted.claims.clone().unwrap_or_default(),
        };
        let account = accounts::create(tx, cx, &new).await?;
        if new.password.is_some() && wanted.initial_password_must_change {
            accounts::have_password_replaced(tx, account).await?;
        }
        account
    };
    let (roles, metadata) = (wanted.roles.clone().unwrap_or_default(), noted(wanted, &Metadata::default()));
    let username = wanted.username.as_deref();
    let new = NewMember { account, username, roles: &roles, metadata: Some(&metadata) };
    let id = tenant_users::create(tx, cx, new).await?;
    // An account that the deployment knew already is brought to what the file says.
    if let (Some(_), Some(person)) = (known, tenant_users::find(tx, id).await?) {
        update(tx, cx, &person, (wanted, email)).await?;
    }
    Ok(())
}

async fn not_yet_member(tx: &mut Tx<Tenant>, account: AccountId) -> Result<AccountId, Failure> {
    accounts::hold_for_member(tx, account).await?;
    match tenant_users::find_by_account(tx, account).await? {
        None => Ok(account),
        Some(member) => Err(Failure::new(format!(
            "the e-mail address belongs to the member {}; a user name cannot be changed",
            member.username.as_deref().unwrap_or("without a user name")
        ))),
    }
}

async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    (wanted, email): (&User, Option<Email>),
) -> Result<bool, Failure> {
    if email
        .as_ref()
        .is_some_and(|email| Some(email.key()) != person.email.as_deref().map(str::to_ascii_lowercase))
    {
        return Err(Failure::new("email: the account has another address, which people change themselves"));
    }
    let mut changed = false;
    // The account before the membership, as in `credentials::hold`.
    if let Some(profile) = &wanted.claims {
        changed |= changes::set_profile(tx, cx, person, profile).await?;
    }
    if wanted.email_verified && !person.email_verified {
        changes::verify_email(tx, cx, person).await?;
        changed = true;
    }
    if let Some(roles) = &wanted.roles {
        changed |= tenant_users::set_roles(tx, cx, person, roles).await?;
    }
    let metadata = noted(wanted, &person.metadata);
    changed |= tenant_users::set_metadata(tx, cx, person.id, (&person.metadata, &metadata)).await?;
    Ok(changed)
}

/// What the tenant is to note of a person: the file's parts, and those that it does not have as they are.
fn noted(wanted: &User, present: &Metadata) -> Metadata {
    Metadata {
        public: wanted.public_metadata.clone().unwrap_or_else(|| present.public.clone()),
        private: wanted.private_metadata.clone().unwrap_or_else(|| present.private.clone()),
    }
}

fn differences(person: &Person, (wanted, roles): (&User, &[String])) -> Vec<Change> {
    #[derive(Serialize)]
    struct Told<'a> {
        roles: &'a [String],
        claims: &'a Profile,
        metadata: &'a Metadata,
        email_verified: bool,
    }
    let present = Told {
        roles: &person.own_roles,
        claims: &person.profile,
        metadata: &person.metadata,
        email_verified: person.email_verified,
    };
    let metadata = noted(wanted, &person.metadata);
    let new = Told {
        roles,
        claims: wanted.claims.as_ref().unwrap_or(&person.profile),
        metadata: &metadata,
        email_verified: person.email_verified || wanted.email_verified,
    };
    change::between(&present, &new)
}
