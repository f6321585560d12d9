//! The rows of a large deployment: copies of the demo's tenant, person, application and entry, made by the database itself.

use std::fmt;
use std::path::Path;

use crate::Result;
use crate::bench::copies;
use crate::postgres::Postgres;

/// How much there is of everything.
#[derive(Clone, Copy)]
pub struct Size {
    /// Tenants, each with one person and one application.
    pub tenants: usize,
    /// People; those of no other tenant belong to the first.
    pub people: usize,
    /// Applications; those of no other tenant belong to the first.
    pub applications: usize,
    /// Organizations, of two tenants alone.
    pub organizations: usize,
    /// Entries of the audit log, of the same two.
    pub audit: usize,
    /// How much of the people, organizations and entries the second of the two has.
    pub few: Few,
}

/// What the tenant has with which the one that has most is compared.
#[derive(Clone, Copy)]
pub struct Few {
    /// People.
    pub people: usize,
    /// Organizations.
    pub organizations: usize,
    /// Entries of the audit log.
    pub audit: usize,
}

impl Size {
    /// What is reported of the embedded database.
    pub const LARGE: Self = Self {
        tenants: 10_000,
        people: 100_000,
        applications: 50_000,
        organizations: 10_000,
        audit: 1_000_000,
        few: Few { people: 10_000, organizations: 1_000, audit: 10_000 },
    };
    /// What is reported of PostgreSQL.
    pub const LARGEST: Self =
        Self { people: 1_000_000, organizations: 100_000, audit: 10_000_000, ..Self::LARGE };
    /// Shows that everything works.
    pub const SMALL: Self = Self {
        tenants: 100,
        people: 2_000,
        applications: 1_000,
        organizations: 1_000,
        audit: 20_000,
        few: Few { people: 200, organizations: 100, audit: 2_000 },
    };

    /// The last person of each of the two tenants, the one with few people first; both are counted from one.
    pub fn last_people(self) -> [usize; 2] {
        [self.tenants + self.few.people, self.people]
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tenants, people, applications, organizations, audit, .. } = self;
        write!(
            f,
            "{tenants} tenants, {people} people, {applications} applications, {organizations} organizations, {audit} entries of \
             the audit log"
        )
    }
}

/// Copies `n` of an id of the demo: the last eight characters are the number. All is a day old: what has just been changed is read
/// again by every process for a while. The demo's tenant has most of everything; its first copy has few.
const STATEMENTS: &str = "
INSERT INTO tenants (id, slug, name, custom_domain, status, settings, created_at, updated_at, version)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {tenants})
SELECT {copy t.id}, t.slug || '-' || CAST(n AS TEXT), t.name, NULL, t.status, t.settings, t.created_at - {day}, t.updated_at - {day}, t.version
FROM tenants t, numbers WHERE t.slug = 'demo';

INSERT INTO apis (tenant_id, id, identifier, enabled, configuration, created_at, updated_at, version)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {tenants})
SELECT {copy t.id}, {copy a.id}, a.identifier, a.enabled, a.configuration, a.created_at - {day}, a.updated_at - {day}, a.version
FROM tenants t, apis a, numbers WHERE t.slug = 'demo' AND a.tenant_id = t.id AND a.identifier = 'https://api.demo.example';

INSERT INTO apps (tenant_id, id, handle, enabled, secret_digest, configuration, created_at, updated_at, version)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {applications})
SELECT CASE WHEN n <= {tenants} THEN {copy t.id} ELSE t.id END, {copy a.id}, a.handle || '-' || CAST(n AS TEXT), a.enabled,
    a.secret_digest, a.configuration, a.created_at - {day}, a.updated_at - {day}, a.version
FROM tenants t, apps a, numbers WHERE t.slug = 'demo' AND a.tenant_id = t.id AND a.handle = 'bench-large';

INSERT INTO apps (tenant_id, id, handle, enabled, secret_digest, configuration, created_at, updated_at, version)
WITH numbers(n) AS (SELECT 1)
SELECT {copy t.id}, {copy a.id}, a.handle, a.enabled, a.secret_digest, a.configuration, a.created_at - {day}, a.updated_at - {day},
    a.version
FROM tenants t, apps a, numbers WHERE t.slug = 'demo' AND a.tenant_id = t.id AND a.handle = 'admin-cli';

INSERT INTO apis (tenant_id, id, identifier, enabled, configuration, created_at, updated_at, version)
WITH numbers(n) AS (SELECT 1)
SELECT {copy t.id}, {copy a.id}, a.identifier, a.enabled, a.configuration, a.created_at - {day}, a.updated_at - {day}, a.version
FROM tenants t, apis a, numbers WHERE t.slug = 'demo' AND a.tenant_id = t.id AND a.identifier = 'urn:svc:management-api';

INSERT INTO accounts (id, status, email, email_key, email_verified, profile, password, credentials_changed_at, created_at, updated_at)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {people})
SELECT {copy a.id}, a.status, CAST(n AS TEXT) || a.email, CAST(n AS TEXT) || a.email_key, a.email_verified, a.profile, a.password,
    a.credentials_changed_at - {day}, a.created_at - {day}, a.updated_at - {day}
FROM accounts a, numbers WHERE a.id = (SELECT account_id FROM tenant_users WHERE username_key = 'ada');

INSERT INTO tenant_users (tenant_id, id, account_id, subject, username, username_key, status, roles, metadata, created_at, updated_at, version)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {people})
SELECT CASE WHEN n <= {tenants} THEN {copy u.tenant_id} WHEN n <= {tenants} + {few people} THEN {first u.tenant_id} ELSE u.tenant_id END,
    {copy u.id}, {copy u.account_id}, {copy u.subject}, u.username || CAST(n AS TEXT), u.username_key || CAST(n AS TEXT),
    CASE WHEN n % 1000 = 0 THEN 'suspended' ELSE u.status END, CASE WHEN n % 100 = 1 THEN '[\"editor\"]' ELSE u.roles END, u.metadata,
    u.created_at - {day}, u.updated_at - {day}, u.version
FROM tenant_users u, numbers WHERE u.username_key = 'ada';

INSERT INTO organizations (tenant_id, id, slug, status, owner_id, configuration, created_at, updated_at, version)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {organizations})
SELECT CASE WHEN n <= {few organizations} THEN {first u.tenant_id} ELSE u.tenant_id END,
    'org_' || substr({copy u.id}, length(u.id) - 25), 'org-' || CAST(n AS TEXT), 'active',
    CASE WHEN n <= {few organizations} THEN {first u.id} ELSE u.id END, '{\"name\": \"Organization ' || CAST(n AS TEXT) || '\"}',
    u.created_at - {day}, u.updated_at - {day}, 1
FROM tenant_users u, numbers WHERE u.username_key = 'ada';

INSERT INTO organization_members (tenant_id, organization_id, tenant_user_id, created_at, updated_at, version)
SELECT tenant_id, id, owner_id, created_at, updated_at, 1 FROM organizations WHERE slug LIKE 'org-%';

INSERT INTO audit_log (tenant_id, id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, detail, position, hash)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {audit})
SELECT CASE WHEN n <= {few audit} THEN {first e.tenant_id} ELSE e.tenant_id END, {copy e.id}, e.at - {day} + n, 'user',
    'actor-' || CAST(n % 1000 AS TEXT), CASE WHEN n % 4 = 0 THEN 'role.created' ELSE e.action END, 'target-' || CAST(n % 5000 AS TEXT),
    CASE WHEN n % 100 = 0 THEN 'denied' ELSE 'success' END, 'request-' || CAST(n AS TEXT), '192.0.2.' || CAST(n % 200 AS TEXT),
    e.detail, n, e.hash
FROM (SELECT e.* FROM audit_log e JOIN tenants t ON t.id = e.tenant_id WHERE t.slug = 'demo' AND e.position = 1) e, numbers;

ANALYZE;
";

const DAY_MICROS: usize = 86_400_000_000;

/// The statements, the same for both engines.
fn statements(size: Size) -> String {
    let mut text = STATEMENTS.to_owned();
    for column in ["t.id", "a.id", "e.id", "u.id", "u.tenant_id", "u.account_id", "u.subject"] {
        let copy =
            format!("substr({column}, 1, length({column}) - 8) || substr(CAST(100000000 + n AS TEXT), 2)");
        text = text.replace(&format!("{{copy {column}}}"), &copy);
    }
    for column in ["u.id", "u.tenant_id", "e.tenant_id"] {
        let first = format!("substr({column}, 1, length({column}) - 8) || '00000001'");
        text = text.replace(&format!("{{first {column}}}"), &first);
    }
    let counts = [
        ("{day}", DAY_MICROS),
        ("{tenants}", size.tenants),
        ("{people}", size.people),
        ("{applications}", size.applications),
        ("{organizations}", size.organizations),
        ("{audit}", size.audit),
        ("{few people}", size.few.people),
        ("{few organizations}", size.few.organizations),
        ("{few audit}", size.few.audit),
    ];
    counts.iter().fold(text, |text, (word, count)| text.replace(word, &count.to_string()))
}

/// Writes them while no server runs.
pub fn fill(file: &Path, postgres: Option<&Postgres>, size: Size) -> Result<()> {
    copies::write(file, postgres, &statements(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_in_braces_is_left_in_the_statements() {
        let text = statements(Size::SMALL).replace("{\"name\"", "").replace("\"}'", "");
        assert!(!text.contains(['{', '}']), "{text}");
    }
}
