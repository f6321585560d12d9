//! `svc-runtime admin`: what an operator takes away from a tenant or an account at the terminal, and gives back; and who is an
//! operator.

use std::sync::Arc;

use clap::Subcommand;
use svc_config::Config;
use svc_core::{AccountId, Actor, Clock as _, Cx, SystemClock, TenantId};
use svc_db::{Db, System, Tx};
use svc_domain::people::accounts::{self, Email};
use svc_domain::people::standing;
use svc_domain::tenancy::tenants::records::Standing;
use svc_domain::tenancy::tenants::{self, records};
use svc_keys::SystemEntropy;

use crate::failure::Failure;
use crate::operators::{self, OperatorCommand};
use crate::{database, terminal};

/// Shown under `svc-runtime admin --help`.
pub const EXAMPLES: &str = "\
Examples:
  svc-runtime admin create-operator grace            a new operator of the deployment; prints the password, once
  svc-runtime admin grant-operator ada@example.com   a member of the default tenant becomes an operator
  svc-runtime admin grant-operator ada@example.com --role viewer
                                                     reads everything of the control plane, changes nothing
  svc-runtime admin revoke-operator ada@example.com  an operator no longer
  svc-runtime admin list-operators                   who is an operator
  svc-runtime admin reset-operator grace             a new password for an operator who is locked out
  svc-runtime admin reset-operator grace --remove-second-factors
                                                     the same for one who has lost the second factor too
  svc-runtime admin suspend-tenant acme              the tenant answers nothing, its sessions and tokens end
  svc-runtime admin reactivate-tenant acme           it answers again; sessions and tokens stay ended
  svc-runtime admin destroy-tenant-keys acme         of a suspended tenant: what its keys have sealed can never be opened again
  svc-runtime admin disable-account ada@example.com  the account signs in nowhere, its sessions and tokens end
  svc-runtime admin enable-account ada@example.com   it may sign in again";

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum Admin {
    /// About operators.
    #[command(flatten)]
    Operators(OperatorCommand),
    /// About tenants and accounts.
    #[command(flatten)]
    Standing(AdminCommand),
}

/// What to do about tenants and accounts.
#[derive(Clone, Debug, Subcommand)]
pub enum AdminCommand {
    /// Suspend a tenant: it answers nothing, and its sessions and tokens end.
    SuspendTenant {
        /// The slug of the tenant.
        slug: String,
    },
    /// Let a suspended tenant answer again.
    ReactivateTenant {
        /// The slug of the tenant.
        slug: String,
    },
    /// Destroy the keys of a suspended tenant: its sealed credentials, waiting mails and kept responses can never be opened
    /// again.
    DestroyTenantKeys {
        /// The slug of the tenant.
        slug: String,
    },
    /// Disable an account in every tenant: it cannot sign in, and its sessions and tokens end.
    DisableAccount {
        /// The e-mail address of the account.
        email: String,
    },
    /// Let a disabled account sign in again.
    EnableAccount {
        /// The e-mail address of the account.
        email: String,
    },
}

/// Does it on the configured database.
pub async fn run(command: &Admin, config: &Config) -> Result<(), Failure> {
    let db = database::open_for_command(config).await?;
    let cx = Cx {
        now: SystemClock.now(),
        entropy: Arc::new(SystemEntropy),
        actor: Actor::Operator("svc-runtime admin".to_owned()),
        request_id: "admin".to_owned(),
        client_ip: None,
    };
    let outcome = match command {
        Admin::Operators(command) => operators::execute(command, config, &db, (&cx, &SystemClock)).await,
        Admin::Standing(command) => execute(command, &db, &cx).await,
    };
    db.close().await;
    terminal::say(&outcome?);
    if let Some(warning) = warning(command, config) {
        terminal::complain(&warning);
    }
    Ok(())
}

/// What goes with the tenant at which operators sign in. The control plane refuses to suspend it; an operator at the terminal may.
fn warning(command: &Admin, config: &Config) -> Option<String> {
    let Admin::Standing(AdminCommand::SuspendTenant { slug }) = command else { return None };
    let is_operators = config.tenant.default_tenant_slug.as_deref() == Some(slug.as_str());
    is_operators.then(|| {
        format!(
            "warning: operators sign in at this tenant, and none of them can before `svc-runtime admin reactivate-tenant {slug}`"
        )
    })
}

/// Does it, and returns what to say about it.
pub async fn execute(command: &AdminCommand, db: &Db, cx: &Cx) -> Result<String, Failure> {
    let mut tx = db.begin_system().await?;
    let (changed, what) = match command {
        AdminCommand::SuspendTenant { slug } => {
            (set_active(&mut tx, cx, (slug, false)).await?, format!("tenant {slug}: suspended"))
        }
        AdminCommand::ReactivateTenant { slug } => {
            (set_active(&mut tx, cx, (slug, true)).await?, format!("tenant {slug}: active"))
        }
        AdminCommand::DestroyTenantKeys { slug } => {
            let id = tenant(&mut tx, slug).await?;
            let keys = standing::destroy_keys(&mut tx, cx, id).await?;
            (true, format!("tenant {slug}: destroyed {keys} key(s)"))
        }
        AdminCommand::DisableAccount { email } => {
            let id = account(&mut tx, email).await?;
            (
                standing::set_account_enabled(&mut tx, cx, id, false).await?,
                format!("account {email}: disabled"),
            )
        }
        AdminCommand::EnableAccount { email } => {
            let id = account(&mut tx, email).await?;
            (standing::set_account_enabled(&mut tx, cx, id, true).await?, format!("account {email}: enabled"))
        }
    };
    tx.commit().await?;
    Ok(if changed { what } else { format!("{what} already") })
}

/// Suspends a tenant or lets it answer again; returns whether anything changed. One that is being deleted is neither active nor suspended.
async fn set_active(tx: &mut Tx<System>, cx: &Cx, (slug, is_active): (&str, bool)) -> Result<bool, Failure> {
    let id = tenant(tx, slug).await?;
    records::hold(tx, id.reference());
    let present = records::find(tx, id.reference()).await?;
    if present.is_none_or(|present| present.standing == Standing::Deleting) {
        return Err(Failure::new(format!(
            "tenant {slug}: it is being deleted; an operator restores it first, by the control plane"
        )));
    }
    Ok(standing::set_tenant_active(tx, cx, id, is_active).await?)
}

async fn tenant(tx: &mut Tx<System>, slug: &str) -> Result<TenantId, Failure> {
    let found = tenants::find_by_slug(tx, slug).await?;
    found.ok_or_else(|| Failure::new(format!("there is no tenant {slug:?}")))
}

async fn account(tx: &mut Tx<System>, email: &str) -> Result<AccountId, Failure> {
    let found = accounts::find_by_email(tx, &Email::parse(email)?).await?;
    found
        .map(|account| account.id)
        .ok_or_else(|| Failure::new(format!("no account has the address {email:?}")))
}
