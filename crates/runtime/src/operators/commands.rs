//! `svc-runtime admin …-operator`: bootstrap and break-glass.

use clap::Subcommand;
use svc_config::Config;
use svc_core::{Clock, Cx};
use svc_db::Db;
use svc_domain::people::operators::{Operator, Role};

use super::{Created, Factors, create, grant, list, reset, revoke};
use crate::failure::Failure;

/// What to do about operators.
#[derive(Clone, Debug, Subcommand)]
pub enum OperatorCommand {
    /// Create an operator in the default tenant, with a password that is printed once.
    CreateOperator {
        /// The sign-in name.
        username: String,
        /// The e-mail address, taken as proven.
        #[arg(long)]
        email: Option<String>,
        /// The role of the operator: `viewer`, `tenant_manager` or `administrator`.
        #[arg(long, default_value_t)]
        role: Role,
    },
    /// Make a member of the default tenant an operator, or give an operator another role.
    GrantOperator {
        /// The sign-in name or the e-mail address.
        name: String,
        /// The role of the operator: `viewer`, `tenant_manager` or `administrator`.
        #[arg(long, default_value_t)]
        role: Role,
    },
    /// Make an operator an ordinary member again: the sessions and tokens of the membership end.
    RevokeOperator {
        /// The sign-in name or the e-mail address.
        name: String,
    },
    /// Give an operator a new password, which is printed once; the operator's sessions and tokens end.
    ResetOperator {
        /// The sign-in name or the e-mail address.
        name: String,
        /// Remove the second factors too, for an operator who has lost them: app, backup codes, passkeys, phone number and trusted
        /// browsers.
        #[arg(long)]
        remove_second_factors: bool,
    },
    /// List the operators.
    ListOperators,
}

/// Does it, and returns what to say about it.
pub async fn execute(
    command: &OperatorCommand,
    config: &Config,
    db: &Db,
    (cx, clock): (&Cx, &dyn Clock),
) -> Result<String, Failure> {
    Ok(match command {
        OperatorCommand::CreateOperator { username, email, role } => {
            let created = create(db, config, cx, (username, email.as_deref(), *role)).await?;
            format!("operator {username}: created\n{}", access(&created))
        }
        OperatorCommand::GrantOperator { name, role } => {
            said(grant(db, config, cx, (name, *role)).await?, format!("{name}: an operator, {role}"))
        }
        OperatorCommand::RevokeOperator { name } => {
            said(revoke(db, config, cx, name).await?, format!("{name}: no operator"))
        }
        OperatorCommand::ResetOperator { name, remove_second_factors } => {
            let (factors, told) = if *remove_second_factors {
                (Factors::Removed, ", and no second factor")
            } else {
                (Factors::Kept, "")
            };
            let renewed = reset(db, config, (cx, clock), (name, factors)).await?;
            format!("operator {name}: has a new password{told}\n{}", access(&renewed))
        }
        OperatorCommand::ListOperators => {
            list(db, config).await?.iter().map(line).collect::<Vec<_>>().join("\n")
        }
    })
}

fn access(created: &Created) -> String {
    let Created { password, client_id, resource, .. } = created;
    format!("password: {}\nclient_id: {client_id}\nresource: {resource}", password.expose())
}

fn said(changed: bool, what: String) -> String {
    if changed { what } else { format!("{what} already") }
}

fn line(operator: &Operator) -> String {
    let names = [&operator.username, &operator.email].into_iter().flatten();
    let names = names.map(String::as_str).collect::<Vec<_>>().join("  ");
    format!("{}  {names}  {} since {}", operator.tenant_user_id, operator.role, operator.since)
}
