//! Rights of the roles of PostgreSQL, given by the owner of the tables, who need not be allowed to make roles.

use svc_core::{Error, Result};

use crate::engine::{Db, Store};
use crate::error::OrPg as _;
use crate::migrate::{ADVISORY_LOCK, Migration, admit_pg};

const ROLES: &str = "SELECT rolname::text FROM pg_roles WHERE rolname::text = ANY($1) ORDER BY 1";
/// Without the rights of an owner PostgreSQL warns, and gives nothing.
const PLACE: &str = "SELECT relnamespace::regnamespace::text, pg_has_role(relowner, 'USAGE') FROM pg_class \
     WHERE oid = to_regclass('schema_migrations')";

impl Db {
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
