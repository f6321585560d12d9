//! Rights of the roles of PostgreSQL, given by the owner of the tables, who need not be allowed to make roles.

use svc_core::{Error, Result};

use crate::engine::{Db, Store};
use crate::error::OrPg as _;
use crate::migrate::{ADVISORY_LOCK, Migration, admit_pg};

const ROLES: &str = "SELECT rolname::text FROM pg_roles WHERE rolname::text = ANY($1) ORDER BY 1";
/// Without the rights of an owner PostgreSQL warns, and gives nothing.
const PLACE: &str = "SELECT relnamespace::regnamespace::text, pg_has_role(relowner, 'USAGE') FROM pg_class \
     WHERE oid = to_regclass('schema_migrations')";

/// A table that is not there, because a later version has dropped it, is not looked for.
const LACKING: &str = "SELECT wanted.privilege || ' on ' || wanted.name \
     FROM unnest($1::text[], $2::text[]) AS wanted (name, privilege) \
     WHERE NOT has_table_privilege(to_regclass(wanted.name), wanted.privilege) ORDER BY wanted.name, 1";

impl Db {
    /// Those of some rights on tables, each a table and a right, that the role of this address does not have, as `SELECT on apps`.
    /// SQLite knows no rights.
    pub async fn lacking_rights(&self, wanted: &[(&str, &str)]) -> Result<Vec<String>> {
        let Store::Pg(pool) = &self.store else { return Ok(Vec::new()) };
        let (tables, rights): (Vec<_>, Vec<_>) = wanted.iter().copied().unzip();
        let rows = pool.apart().await?.query(LACKING, &[&tables, &rights]).await.or_pg()?;
        let lacking: Result<Vec<String>, _> = rows.iter().map(|row| row.try_get(0)).collect();
        lacking.or_pg()
    }

    /// Gives those of `roles` that there are their rights on the tables of this version, all at once, and returns them. `rights`
    /// makes the statements for a schema and a role. Refused where the schema is of another version; migrations are waited for.
    pub async fn give_rights(
        &self,
        migrations: &[Migration],
        roles: &[String],
        rights: impl Fn(&str, &str) -> Vec<String>,
    ) -> Result<Vec<String>> {
        let Store::Pg(pool) = &self.store else {
            return Err(Error::bad_request("only PostgreSQL has roles"));
        };
        let mut client = pool.apart().await?;
        let tx = client.transaction().await.or_pg()?;
        tx.batch_execute("SET LOCAL statement_timeout = 0").await.or_pg()?;
        tx.execute("SELECT pg_advisory_xact_lock($1)", &[&ADVISORY_LOCK]).await.or_pg()?;
        admit_pg(tx.client(), migrations).await?;
        let place = tx.query_one(PLACE, &[]).await.or_pg()?;
        if !place.try_get::<_, bool>(1).or_pg()? {
            return Err(Error::bad_request(
                "the role of this address does not own the tables, and can give no rights to them",
            ));
        }
        let schema: String = place.try_get(0).or_pg()?;
        let known = tx.query(ROLES, &[&roles]).await.or_pg()?;
        let known: Result<Vec<String>, _> = known.iter().map(|row| row.try_get(0)).collect();
        let known = known.or_pg()?;
        let statements: Vec<_> = known.iter().flat_map(|role| rights(&schema, role)).collect();
        tx.batch_execute(&statements.join(";\n")).await.or_pg()?;
        tx.commit().await.or_pg()?;
        Ok(known)
    }
}
