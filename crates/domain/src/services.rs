//! What the planes share in memory: directories, keys, revocations, password workers.

use svc_config::Config;
use svc_core::{Cx, OrInternal as _, Result, Seconds, Settled, Timestamp};
use svc_db::coordination::NODE_SKEW;
use svc_db::{Db, Written};
use svc_keys::{Custody, Keyring, PasswordParams, PasswordPool, Purpose, Sealer};

use crate::apis::Apis;
use crate::apps::{Apps, SecretUses};
use crate::coordination::clock;
use crate::federation::connectors::Connectors;
use crate::grants::ended_families::EndedFamilies;
use crate::grants::waiting::Waiting;
use crate::hooks::{Hooks, Programs};
use crate::keys::signing_keys::Keys;
use crate::keys::tenant_keys::TenantSealers;
use crate::log::Journal;
use crate::memory::CacheCounts;
use crate::organizations::Looks;
use crate::people::directory::People;
use crate::people::intake::Intakes;
use crate::policies::Policies;
use crate::tenancy::tenants::Tenants;
use crate::tokens::revocations::Revocations;

/// One set per process.
pub struct Services {
    /// Tenants by host.
    pub tenants: Tenants,
    /// Applications by `client_id`.
    pub apps: Apps,
    /// APIs by identifier.
    pub apis: Apis,
    /// How pages look for the people of organizations.
    pub looks: Looks,
    /// People by the subject of a token.
    pub people: People,
    /// Policies, and the people whom they decide about.
    pub policies: Policies,
    /// Hooks, to be asked before something happens.
    pub hooks: Hooks,
    /// Providers at which tenants have registered themselves.
    pub connectors: Connectors,
    /// What people are asked for.
    pub intakes: Intakes,
    /// What modules of hooks do.
    pub programs: Programs,
    /// Polled requests that wait for their decision.
    pub waiting: Waiting,
    /// Refresh families that have ended.
    pub ended_families: EndedFamilies,
    /// Signing keys.
    pub keys: Keys,
    /// Dead tokens.
    pub revocations: Revocations,
    /// Decides which expired records may be deleted.
    pub settled: Settled,
    /// The same since the start of the process: what changed after it may not have been taken in yet.
    passed: Settled,
    /// The longest time between the timestamp of a change and its commit.
    overlap: Seconds,
    /// Password hashing on threads of its own.
    pub passwords: PasswordPool,
    /// Client-credentials tokens not yet written to the audit log.
    pub journal: Journal,
    /// Uses of client secrets not yet written to their applications.
    pub secret_uses: SecretUses,
    /// Who holds the deployment's keys.
    pub custody: Custody,
    /// The key that all nodes of the deployment seal under.
    pub keyring: Keyring,
    /// Seals sign-in flows and forms, which browsers carry.
    pub forms: Sealer,
    /// Seals what is kept for tenants.
    pub sealers: TenantSealers,
}

const ACCOUNTS: &str = "accounts";

/// The tables that memory asks again after a commit. Of people, and of requests that wait, rows are forgotten without asking.
const ASKED: &[&str] = &[
    "tenants",
    "apps",
    "apis",
    "roles",
    "revocations",
    ACCOUNTS,
    "signing_keys",
    "tenant_keys",
    "policy_sets",
    "hook_sets",
    "connector_sets",
    "intake_sets",
    "look_sets",
    "feature_switches",
];

/// Whether a table is asked again after this was written to it. Of accounts memory is made by the time of their credentials alone.
fn is_asked(written: &Written) -> bool {
    let set = written.text.split(" WHERE ").next().unwrap_or_default();
    ASKED.contains(&written.table) && (written.table != ACCOUNTS || set.contains("credentials_changed_at = "))
}

/// Whether memory is made of this table.
pub fn is_remembered(table: &str) -> bool {
    ASKED.contains(&table) || People::keeps(table) || Policies::keeps(table) || Waiting::keeps(table)
}

/// Longer than any request runs, for deployments without a limit on it.
const LONGEST_REQUEST: Seconds = Seconds(600);

/// The longest time between the timestamp of a change and its commit: the timestamp is the beginning of the request, by the clock of its
/// node, and the change is visible only after the commit.
fn overlap(config: &Config) -> Seconds {
    let request = config.server.request_timeout_secs;
    Seconds(NODE_SKEW.0 + if request.0 > 0 { request.0 } else { LONGEST_REQUEST.0 })
}

impl Services {
    /// What is kept in memory, by name, and how often it was there.
    pub fn caches(&self) -> [(&'static str, CacheCounts); 10] {
        [
            ("tenants", self.tenants.counts()),
            ("applications", self.apps.counts()),
            ("apis", self.apis.counts()),
            ("refresh_families", self.ended_families.counts()),
            ("policies", self.policies.counts()),
            ("hooks", self.hooks.counts()),
            ("connectors", self.connectors.counts()),
            ("hook_modules", self.programs.counts()),
            ("intakes", self.intakes.counts()),
            ("organization_looks", self.looks.counts()),
        ]
    }

    /// Fills the memory of a starting process; the schema must be current.
    pub async fn start(db: &Db, config: &Config, cx: &Cx, custody: Custody) -> Result<Self> {
        let (auth, keyring) = (&config.auth, custody.keyring().clone());
        let services = Self {
            tenants: Tenants::new(db.clone(), config)?,
            apps: Apps::new(db.clone()),
            apis: Apis::new(db.clone()),
            looks: Looks::new(db.clone()),
            people: People::new(db.clone()),
            policies: Policies::new(db.clone(), &config.access_control),
            hooks: Hooks::new(db.clone()),
            connectors: Connectors::new(db.clone()),
            intakes: Intakes::new(db.clone()),
            programs: Programs::new(db.clone()),
            waiting: Waiting::new(db.clone()),
            ended_families: EndedFamilies::new(&config.refresh_family_cache),
            keys: Keys::start(db, cx, config, custody.management()).await?,
            revocations: Revocations::default(),
            settled: Settled::starting(cx.now, clock::settled(db).await?),
            passed: Settled::starting(cx.now, None),
            overlap: overlap(config),
            passwords: PasswordPool::new(PasswordParams {
                memory_kib: auth.argon2_memory_kib,
                iterations: auth.argon2_iterations,
                parallelism: auth.argon2_parallelism,
                max_concurrent: usize::try_from(auth.argon2_max_concurrent).or_internal()?,
            })?,
            journal: Journal::default(),
            secret_uses: SecretUses::default(),
            forms: keyring.sealer(Purpose::Forms),
            sealers: TenantSealers::new(db.clone(), &custody),
            keyring,
            custody,
        };
        let expired = services.settled.look(cx.now);
        clock::keep(db, expired.settled).await?;
        let mut tx = db.read_system().await?;
        services.revocations.refresh(&mut tx, Timestamp::from_secs(0), expired.settled).await?;
        Ok(services)
    }

    /// Takes in what changed since `since`, here or on another node.
    pub async fn sync(&self, db: &Db, since: Timestamp, now: Timestamp) -> Result<()> {
        let since = since.min(self.passed.look(now).settled);
        let mut tx = db.read_system().await?;
        self.people.refresh(&mut tx, since - self.overlap).await?;
        self.waiting.refresh(&mut tx, since - self.overlap).await?;
        drop(tx);
        self.take_in(db, ASKED, (since, now)).await
    }

    /// Forgets what commits of this process have written, as far as they say which rows; returns the tables to ask again.
    pub fn forget(&self, written: &[Written]) -> Vec<&'static str> {
        self.people.forget(written);
        self.policies.forget(written);
        self.waiting.forget(written);
        written.iter().filter(|written| is_asked(written)).map(|written| written.table).collect()
    }

    /// Asks some of the tables that memory is made of what has changed.
    pub async fn take_in(
        &self,
        db: &Db,
        tables: &[&str],
        (since, now): (Timestamp, Timestamp),
    ) -> Result<()> {
        let (since, has) = (since - self.overlap, |table| tables.contains(&table));
        let mut tx = db.read_system().await?;
        if has("tenants") {
            self.tenants.refresh(&mut tx, since).await?;
        }
        if has("feature_switches") {
            self.tenants.refresh_switches(&mut tx).await?;
        }
        if has("apps") {
            self.apps.refresh(&mut tx, since).await?;
        }
        if has("apis") || has("roles") {
            self.apis.refresh(&mut tx, since).await?;
        }
        if has("revocations") || has(ACCOUNTS) {
            self.revocations.refresh(&mut tx, since, self.settled.look(now).settled).await?;
        }
        if has("policy_sets") {
            self.policies.refresh(&mut tx, since).await?;
        }
        if has("hook_sets") {
            self.hooks.refresh(&mut tx, since).await?;
        }
        if has("connector_sets") {
            self.connectors.refresh(&mut tx, since).await?;
        }
        if has("intake_sets") {
            self.intakes.refresh(&mut tx, since).await?;
        }
        if has("look_sets") {
            self.looks.refresh(&mut tx, since).await?;
        }
        if has("tenant_keys") {
            self.sealers.refresh(&mut tx, since).await?;
        }
        drop(tx);
        // Applications say which tenants publish a key of `EdDSA`.
        if has("signing_keys") || has("apps") { self.keys.reload(db, now).await } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use svc_db::Rows;

    use super::*;

    #[test]
    fn accounts_are_asked_again_only_where_a_statement_sets_the_time_of_their_credentials() {
        let is_asked = |table, text| is_asked(&Written { table, rows: Rows::Any, text });
        for (table, text, expected) in [
            (
                "accounts",
                "UPDATE accounts SET password = $2, credentials_changed_at = $3 WHERE id = $1",
                true,
            ),
            ("accounts", "UPDATE accounts SET credentials_changed_at = $1, updated_at = $1", true),
            (
                "accounts",
                "UPDATE accounts SET profile = $2 WHERE id = $1 AND credentials_changed_at = $3",
                false,
            ),
            ("accounts", "INSERT INTO accounts (id, credentials_changed_at) VALUES ($1, $2)", false),
            ("apps", "UPDATE apps SET enabled = $3 WHERE tenant_id = $1 AND id = $2", true),
            ("sessions", "DELETE FROM sessions WHERE tenant_id = $1 AND id = $2", false),
        ] {
            assert_eq!(is_asked(table, text), expected, "{text}");
        }
    }
}
