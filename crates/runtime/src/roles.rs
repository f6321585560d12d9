//! `svc-runtime db`: prints the SQL of the least-privilege roles of PostgreSQL, and gives them their rights.

use clap::{Args, Subcommand};
use svc_config::Config;
use svc_domain::MIGRATIONS;
use svc_domain::access::{self, Names, Role};

use crate::failure::Failure;
use crate::{database, terminal};

/// Shown under `svc-runtime db --help`.
pub const EXAMPLES: &str = "\
Examples:
  svc-runtime db roles | psql --set ON_ERROR_STOP=1 svc   make the roles, or bring them to this version
  svc-runtime db roles --prefix id --schema identity      roles id_auth, id_control, … for tables in another schema
  svc-runtime db grant                                    give those that there are the rights of this version

Do one of them after each migration: `roles` as a superuser or as the owner of the tables with CREATEROLE, `grant` with the
address of the owner, who needs nothing else. A new role has no password: give it one with \\password in psql.";

/// What to do with the database.
#[derive(Debug, Subcommand)]
pub enum DbCommand {
    /// Print the SQL that makes a role of PostgreSQL for each plane, for maintenance and for commands, with the rights that each needs.
    Roles(Roles),
    /// Give the roles that there are the rights of this version, with `database.migration_url` (or the runtime address); it makes none.
    Grant(Grant),
}

/// What the roles are called, and where the tables are.
#[derive(Debug, Args)]
pub struct Roles {
    /// The prefix of the names of the roles.
    #[arg(long, default_value = "svc", value_name = "NAME", value_parser = identifier)]
    prefix: String,
    /// The schema of the tables.
    #[arg(long, default_value = "public", value_name = "NAME", value_parser = identifier)]
    schema: String,
}

/// What the roles are called; the tables are where the address leads.
#[derive(Debug, Args)]
pub struct Grant {
    /// The prefix of the names of the roles.
    #[arg(long, default_value = "svc", value_name = "NAME", value_parser = identifier)]
    prefix: String,
}

/// Prints the SQL; nothing is connected to.
pub fn print(roles: &Roles) {
    terminal::say(script(Names { schema: &roles.schema, prefix: &roles.prefix }).trim_end());
}

/// Gives rights as the owner of the tables does, and says to whom.
pub async fn grant(Grant { prefix }: &Grant, config: &Config) -> Result<(), Failure> {
    let roles = Role::ALL.map(|role| role.named(Names { schema: "", prefix }));
    let rights = |schema: &str, name: &str| {
        let names = Names { schema, prefix };
        let roles = Role::ALL.into_iter().filter(|role| role.named(names) == name);
        roles.flat_map(|role| access::grants_to(role, names)).collect::<Vec<_>>()
    };
    let db = database::open_for_migration(config)?;
    let given = match db.give_rights(MIGRATIONS, &roles, rights).await {
        Ok(given) => given,
        Err(error) => return Err(database::failed_for_migration(&db, config, "rights of roles", error).await),
    };
    db.close().await;
    terminal::say(&match given.as_slice() {
        [] => format!("There is none of the roles {}; nothing was changed.", roles.join(", ")),
        given => format!("Gave their rights to {}.", given.join(", ")),
    });
    Ok(())
}

/// In one transaction, so that processes at work do not meet a role without its rights.
fn script(names: Names<'_>) -> String {
    let statements = [access::creation(names), access::grants(names)].concat();
    format!("-- Roles of svc {}.\nBEGIN;\n{};\nCOMMIT;\n", env!("CARGO_PKG_VERSION"), statements.join(";\n"))
}

/// A name that means the same quoted and unquoted.
fn identifier(given: &str) -> Result<String, &'static str> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let starts = given.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase() || byte == b'_');
    if starts && given.len() <= 40 && given.bytes().all(is_plain) {
        Ok(given.to_owned())
    } else {
        Err("a name has lower-case letters, digits and underscores, and no digit first")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_makes_each_role_and_gives_it_its_rights_in_one_transaction() {
        let script = script(Names { schema: "identity", prefix: "id" });
        let lines: Vec<_> = script.lines().collect();
        assert_eq!((lines[1], *lines.last().unwrap()), ("BEGIN;", "COMMIT;"));
        for role in ["id_auth", "id_control", "id_async", "id_maintenance", "id_identity"] {
            let create = format!("CREATE ROLE {role} LOGIN NOSUPERUSER NOBYPASSRLS;");
            assert!(lines.iter().any(|line| line.contains(&create)), "{script}");
            let revoke = format!("REVOKE ALL ON ALL TABLES IN SCHEMA identity FROM {role};");
            let grant = format!("GRANT SELECT ON identity.deployment TO {role};");
            let at = |wanted: &str| lines.iter().position(|line| *line == wanted);
            assert!(at(&revoke).unwrap() < at(&grant).unwrap(), "{script}");
        }
    }

    #[test]
    fn a_name_that_would_need_quotes_is_refused() {
        assert_eq!(identifier("svc_2").as_deref(), Ok("svc_2"));
        for given in ["", "2svc", "Svc", "svc-auth", "svc; DROP TABLE tenants"] {
            assert!(identifier(given).is_err(), "{given}");
        }
    }
}
