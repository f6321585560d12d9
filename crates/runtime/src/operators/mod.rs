//! Operators at the terminal: the first one of a deployment, and the way back in for one who is locked out.

mod commands;

use std::sync::Arc;

use svc_config::Config;
use svc_core::{Class, Clock, Cx, Error, Seconds, Secret};
use svc_db::{Db, Tenant as Space, Tx};
use svc_domain::log::Action;
use svc_domain::people::accounts::{self, Email};
use svc_domain::people::changes;
use svc_domain::people::credentials::{self, Kind, Owner};
use svc_domain::people::operators::{self, NewOperator, Operator, Role};
use svc_domain::people::phones;
use svc_domain::people::tenant_users::{self, Person};
use svc_domain::tenancy::tenants::{self, Tenant, Tenants};

pub use self::commands::{OperatorCommand, execute};
use crate::compose;
use crate::failure::Failure;

/// An operator with a password that was just made; it is stored as a hash, and shown this once.
#[derive(Debug)]
pub struct Created {
    /// The sign-in name at the default tenant.
    pub username: String,
    /// The password.
    pub password: Secret,
    /// The application that gets operators' tokens.
    pub client_id: String,
    /// The audience of those tokens.
    pub resource: String,
}

/// What becomes of an operator's second factors with a new password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factors {
    /// They are asked for as before.
    Kept,
    /// They are removed: the operator has lost them.
    Removed,
}

/// A change in the default tenant, which has what operators sign in with.
struct Begun {
    tx: Tx<Space>,
    client_id: String,
    resource: String,
}

/// Creates an operator in the default tenant, which must be there. `username` must be free.
pub async fn create(
    db: &Db,
    config: &Config,
    cx: &Cx,
    (username, email, role): (&str, Option<&str>, Role),
) -> Result<Created, Failure> {
    let email = email.map(Email::parse).transpose()?;
    let (password, hash) = new_password(config, cx).await?;
    let Begun { mut tx, client_id, resource } = begin(db, config, cx).await?;
    let new = NewOperator { username, email, password: hash, role };
    operators::create(&mut tx, cx, new).await.map_err(told)?;
    tx.commit().await?;
    Ok(Created { username: username.to_owned(), password, client_id, resource })
}

/// A conflict names what is taken; the words of the statement that found out say no more.
fn told(error: Error) -> Failure {
    if error.class() == Class::Conflict { Failure::new(error.detail()) } else { error.into() }
}

/// Makes a member of the default tenant an operator, or gives an operator another role; returns whether anything changed.
pub async fn grant(db: &Db, config: &Config, cx: &Cx, (name, role): (&str, Role)) -> Result<bool, Failure> {
    let mut tx = begin(db, config, cx).await?.tx;
    let person = member(&mut tx, name).await?;
    let changed = operators::grant(&mut tx, cx, &person, role).await?;
    tx.commit().await?;
    Ok(changed)
}

/// Makes an operator an ordinary member; returns whether anything changed.
pub async fn revoke(db: &Db, config: &Config, cx: &Cx, name: &str) -> Result<bool, Failure> {
    let mut tx = db.begin(default_tenant(db, config).await?.id).await?;
    let person = member(&mut tx, name).await?;
    let changed = operators::revoke(&mut tx, cx, &person).await?;
    tx.commit().await?;
    Ok(changed)
}

/// Gives an operator a new password; every session and token from before ends, in every tenant.
pub async fn reset(
    db: &Db,
    config: &Config,
    (cx, clock): (&Cx, &dyn Clock),
    (name, factors): (&str, Factors),
) -> Result<Created, Failure> {
    let (password, hash) = new_password(config, cx).await?;
    let Begun { mut tx, client_id, resource } = begin(db, config, cx).await?;
    let person = member(&mut tx, name).await?;
    if operators::role_of(&mut tx, &person.subject).await?.is_none() {
        return Err(Failure::new(format!(
            "{name:?} is no operator; only operators get their passwords here"
        )));
    }
    // Held before the time is taken: what a sign-in begins until then is older.
    credentials::hold(&mut tx, person.account_id);
    let account = accounts::find(&mut tx, person.account_id).await?;
    let account = account.ok_or_else(|| Error::internal("a member without an account"))?;
    let cx = cx.at(clock.now().max(cx.now));
    if factors == Factors::Removed {
        remove_factors(&mut tx, &cx, &person).await?;
    }
    changes::set_account_password(&mut tx, &cx, &account, (&hash, Action::PasswordReset)).await?;
    tx.commit().await?;
    Ok(Created { username: name.to_owned(), password, client_id, resource })
}

/// Takes away all that is asked for after a right password, or in its place.
async fn remove_factors(tx: &mut Tx<Space>, cx: &Cx, person: &Person) -> Result<(), Failure> {
    let all = credentials::held_of_account(tx, person.account_id).await?;
    for kind in [Kind::Totp, Kind::BackupCode, Kind::Passkey, Kind::Phone, Kind::TrustedBrowser] {
        credentials::remove_all(tx, cx, Owner::from(person), kind).await?;
    }
    for phone in all.iter().filter(|one| one.kind == Some(Kind::Phone)) {
        phones::removed(tx, cx, person, phone).await?;
    }
    Ok(())
}

/// Every operator.
pub async fn list(db: &Db, config: &Config) -> Result<Vec<Operator>, Failure> {
    let mut tx = db.read(default_tenant(db, config).await?.id).await?;
    Ok(operators::all(&mut tx).await?)
}

async fn begin(db: &Db, config: &Config, cx: &Cx) -> Result<Begun, Failure> {
    let tenant = default_tenant(db, config).await?;
    let mut tx = db.begin(tenant.id).await?;
    let app = operators::prepare(&mut tx, cx, &tenant, token_lifetime(config)).await?;
    Ok(Begun { tx, client_id: app.client_id(), resource: tenant.control_plane_audience() })
}

/// No token of an operator lives longer than an operator's session.
fn token_lifetime(config: &Config) -> Seconds {
    config.jwt.access_token_lifetime_human_secs.min(config.admin.session_lifetime_secs)
}

async fn default_tenant(db: &Db, config: &Config) -> Result<Arc<Tenant>, Failure> {
    let slug = config.tenant.default_tenant_slug.as_deref().unwrap_or_default();
    if slug.is_empty() {
        return Err(Failure::new(
            "tenant.default_tenant_slug: operators sign in at the default tenant; name it",
        ));
    }
    let mut tx = db.read_system().await?;
    let id = tenants::find_by_slug(&mut tx, slug).await?;
    let id = id.ok_or_else(|| {
        Failure::new(format!(
            "there is no tenant {slug:?}, the default one; make it with `svc-runtime apply`"
        ))
    })?;
    Ok(Tenants::new(db.clone(), config)?.read(&mut tx, id).await?)
}

async fn member(tx: &mut Tx<Space>, name: &str) -> Result<Person, Failure> {
    let found = tenant_users::find_by_identifier(tx, name).await?;
    found.ok_or_else(|| Failure::new(format!("the default tenant has no member {name:?}")))
}

/// A password that cannot be guessed, and its hash, which takes its time and is made before any transaction.
async fn new_password(config: &Config, cx: &Cx) -> Result<(Secret, String), Failure> {
    let password = Secret::new(svc_keys::token(&*cx.entropy));
    let hash = compose::password_pool(config)?.of(None).hash(&password, &*cx.entropy).await?;
    Ok((password, hash))
}
