//! What the database gets: the schema, the first tenant, the first operator.

use svc_config::Config;
use svc_core::{Cx, SystemClock};
use svc_db::{Db, SchemaState};
use svc_domain::MIGRATIONS;
use svc_domain::people::accounts::Email;
use svc_domain::people::operators::Role;
use svc_domain::people::tenant_users;
use svc_domain::tenancy::tenants::{self, TenantSettings, Tenants};
use svc_http::{Breached, Outbound};

use super::answers::Plan;
use super::flags;
use crate::apply::{self, Seed, Target, Tenant, Written};
use crate::failure::Failure;
use crate::operators::{self, Created};
use crate::{compose, database, keyring};

/// Makes it, in a database that has no deployment yet; returns the operator with the password.
pub async fn make(plan: &Plan, config: &Config) -> Result<Created, Failure> {
    let db = database::open_for_migration(config)?;
    let made = fill(plan, config, &db).await;
    db.close().await;
    made
}

async fn fill(plan: &Plan, config: &Config, db: &Db) -> Result<Created, Failure> {
    let (username, email) = (plan.operator.as_str(), plan.operator_email.as_deref());
    tenants::check_name(&plan.tenant_name, None)
        .map_err(|error| flags::refused_as("--tenant-name", "name", error))?;
    // Before the tenant is there: an operator that is refused after it would leave it behind.
    tenant_users::check(Some(username), &[])
        .map_err(|error| flags::refused_as("--operator", "username", error))?;
    let email_is_right = email.map(Email::parse).transpose();
    email_is_right.map_err(|error| flags::refused_as("--operator-email", "email", error))?;

    let found = content(config, db).await;
    let found = found.map_err(|failure| flags::refused_as("--database-url", "database.url", failure))?;
    if let Some(content) = found {
        return Err(used(content));
    }
    db.migrate(MIGRATIONS).await.map_err(|error| Failure::from(error).during("migration"))?;
    // One whose tenants are all gone has sealed something.
    if keyring::is_known(db).await? {
        return Err(used(DEPLOYMENT));
    }
    let cx = apply::operator_cx();
    first_tenant(plan, config, db, &cx).await?;
    operators::create(db, config, &cx, (username, email, Role::Administrator)).await
}

const DEPLOYMENT: &str = "a deployment already, which stays as it is";
const OTHER_TABLES: &str = "tables of another program, which stay as they are";

fn used(content: &str) -> Failure {
    Failure::new(format!("--database-url: the database has {content}; name an empty database"))
}

/// What it holds but for tables that an interrupted run has left: those are without a tenant.
async fn content(config: &Config, db: &Db) -> Result<Option<&'static str>, Failure> {
    let is_deployment = match database::schema_state_for_migration(db, config).await? {
        SchemaState::Behind { missing } if missing == MIGRATIONS.len() => {
            return Ok(db.has_tables().await?.then_some(OTHER_TABLES));
        }
        SchemaState::Behind { .. } | SchemaState::Current => {
            tenants::count(&mut db.read_system().await?).await? > 0
        }
        SchemaState::Ahead { .. } | SchemaState::Altered { .. } => true,
    };
    Ok(is_deployment.then_some(DEPLOYMENT))
}

async fn first_tenant(plan: &Plan, config: &Config, db: &Db, cx: &Cx) -> Result<(), Failure> {
    let tenants = Tenants::new(db.clone(), config)?;
    let outbound = Outbound::new(config)?;
    let target = Target {
        config,
        db,
        tenants: &tenants,
        passwords: &compose::password_pool(config)?,
        // No password is set.
        breached: &Breached::from_config(&Config::default(), &outbound)?,
        rules: &compose::rules(config),
        pages: None,
        outbound: &outbound,
        sealers: None,
        mode: apply::Mode::default(),
        cx,
        clock: &SystemClock,
    };
    apply::apply(&target, &Seed { tenant: vec![tenant(plan)] }).await.map(drop)
}

fn tenant(plan: &Plan) -> Tenant {
    Tenant {
        slug: plan.tenant.clone(),
        name: plan.tenant_name.clone(),
        custom_domain: None,
        settings: TenantSettings::default(),
        texts: None,
        api: Vec::new(),
        application: Vec::new(),
        role: Vec::new(),
        group: Vec::new(),
        user: Vec::new(),
        organization: Vec::new(),
        policy: Vec::new(),
        declared: apply::Declarations::default(),
        written: Written::default(),
    }
}
