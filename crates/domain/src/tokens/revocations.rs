//! What no longer counts although its signature verifies (RFC 7009): a list in memory on every node, kept in the database.

use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock};

use svc_core::{
    Cx, Error, FamilyId, OrganizationId, Result, Seconds, SessionId, TenantRef, Timestamp, settled,
};
use svc_db::{Call, Row, System, Tenant, Tx, Value, args, quiet_sql, sql, system_sql};

use crate::tokens::access_token::{Claims, LONGEST_LIFETIME};

/// What is revoked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Revoked {
    /// One access token; by its id an API key, with every token that was got for it; or what another provider has begun and calls over.
    Jti(String),
    /// Every token of a refresh family.
    Family(FamilyId),
    /// Every token of a browser session.
    Session(SessionId),
    /// Every token of a subject.
    Subject(String),
    /// Every token of a subject that one application got.
    Consent {
        /// The subject.
        sub: String,
        /// The application.
        client_id: String,
    },
    /// Every token of an application.
    App(String),
    /// Every token of a subject in an organization.
    Member {
        /// The subject.
        sub: String,
        /// The organization.
        organization: OrganizationId,
    },
    /// Every token in an organization.
    Organization(OrganizationId),
}

/// The list in memory.
#[derive(Default)]
pub struct Revocations {
    list: RwLock<List>,
}

/// The entries, and in which minute each may be forgotten, so that forgetting costs as much as there is to forget.
#[derive(Default)]
struct List {
    entries: HashMap<Mark, Entry>,
    by_expiry: BTreeMap<i64, Vec<Mark>>,
}

type Mark = (TenantRef, Revoked);

#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry {
    revoked_at: Timestamp,
    expires_at: Timestamp,
}

impl Revocations {
    /// Whether the token behind `claims` is dead.
    pub fn is_revoked(&self, claims: &Claims) -> bool {
        let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
        let entries = &list.entries;
        if entries.is_empty() {
            return false;
        }
        marks(claims).any(|mark| {
            let reach = mark.reach();
            let entry = entries.get(&(claims.tenant_id, mark));
            entry.is_some_and(|entry| reach.covers(claims, entry.revoked_at))
        })
    }

    /// Whether what began at `began` ended with one of `marks`.
    pub fn has_ended(&self, tenant: TenantRef, began: Timestamp, marks: [Revoked; 2]) -> bool {
        let list = self.list.read().unwrap_or_else(PoisonError::into_inner);
        let entry = |mark| list.entries.get(&(tenant, mark));
        marks.into_iter().filter_map(entry).any(|entry| began <= entry.revoked_at)
    }

    /// Takes in what was revoked since `since`, here or elsewhere, and drops what had expired at `settled`.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp, settled: Timestamp) -> Result<()> {
        let select = system_sql!(
            "SELECT tenant_id, kind, value, revoked_at, expires_at FROM revocations WHERE revoked_at >= $1 AND expires_at > $2"
        );
        let revoked = tx.call(select, args![since, settled]);
        let changed = of_accounts(tx, since, settled);
        let [revoked, changed] = tx.batch([revoked, changed]).await?;
        let mut fresh = Vec::with_capacity(revoked.len() + changed.len());
        for row in &revoked {
            let mark = Revoked::stored(&row.text("kind")?, row.text("value")?)?;
            let entry = Entry { revoked_at: row.time("revoked_at")?, expires_at: row.time("expires_at")? };
            fresh.push(((row.parse("tenant_id")?, mark), entry));
        }
        for row in &changed {
            fresh.push(of_account(row)?);
        }
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        list.forget(settled);
        for (mark, entry) in fresh {
            list.put(mark, entry);
        }
        Ok(())
    }
}

/// Everything that ends the token behind `claims` when it is revoked.
fn marks(claims: &Claims) -> impl Iterator<Item = Revoked> {
    let organization = claims.org.as_ref().map(|org| org.id);
    let marks: [_; MOST_MARKS] = [
        Some(Revoked::Jti(claims.jti.clone())),
        claims.api_key().map(|key| Revoked::Jti(key.to_string())),
        family(claims).map(Revoked::Family),
        claims.sid.as_deref().and_then(|sid| sid.parse().ok()).map(Revoked::Session),
        Some(Revoked::Subject(claims.sub.clone())),
        Some(Revoked::Consent { sub: claims.sub.clone(), client_id: claims.client_id.clone() }),
        Some(Revoked::App(claims.client_id.clone())),
        organization.map(|organization| Revoked::Member { sub: claims.sub.clone(), organization }),
        organization.map(Revoked::Organization),
    ];
    marks.into_iter().flatten()
}

const MOST_MARKS: usize = 9;

fn family(claims: &Claims) -> Option<FamilyId> {
    claims.family().and_then(|family| family.parse().ok())
}

/// Selects what has ended the token behind `claims`, as the database knows it: what is made of a token now must not outlive an end of
/// which this node learns a moment later.
pub fn of_token(tx: &Tx<Tenant>, claims: &Claims) -> Call {
    let select = sql!(
        "SELECT kind, value, revoked_at FROM revocations WHERE tenant_id = $1 \
         AND kind IN ('jti', 'family', 'session', 'subject', 'app') \
         AND value IN ($2, $3, $4, $5, $6, $7, $8, $9, $10)"
    );
    let mut values = [const { String::new() }; MOST_MARKS];
    for (value, mark) in values.iter_mut().zip(marks(claims)) {
        *value = mark.stored_form().1;
    }
    tx.call(select, &values.map(Value::from))
}

/// Whether what [`of_token`] yielded ends the token behind `claims`.
pub fn is_ended(rows: &[Row], claims: &Claims) -> Result<bool> {
    for row in rows {
        let found = Revoked::stored(&row.text("kind")?, row.text("value")?)?;
        let is_of_it = marks(claims).any(|mark| mark == found);
        if is_of_it && found.reach().covers(claims, row.time("revoked_at")?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether what began at `began` ended with one of `marks`, as the database knows it.
pub async fn has_ended(tx: &mut Tx<Tenant>, began: Timestamp, marks: &[Revoked; 2]) -> Result<bool> {
    let select = sql!(
        "SELECT kind, value FROM revocations WHERE tenant_id = $1 \
         AND kind IN ('jti', 'family', 'session', 'subject', 'app') AND value IN ($2, $3) AND revoked_at >= $4"
    );
    let [first, second] = marks.each_ref().map(|mark| mark.stored_form().1);
    for row in tx.all(select, args![first, second, began]).await? {
        if marks.contains(&Revoked::stored(&row.text("kind")?, row.text("value")?)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How long the tokens of an account end with its credentials: as long as any access token lives.
const HORIZON: Seconds = LONGEST_LIFETIME;
/// A clock that jumped is believed when every token of before has expired by itself.
const _: () = assert!(settled::BOUND.0 >= LONGEST_LIFETIME.0, "a revocation outlasts a jump of the clock");

/// Selects every subject, in every tenant, of the accounts whose credentials were changed since `since`. Those are found first: without
/// statistics PostgreSQL reads every person of every tenant otherwise.
fn of_accounts(tx: &Tx<System>, since: Timestamp, settled: Timestamp) -> Call {
    let select = system_sql!(
        "WITH changed AS MATERIALIZED (SELECT a.id, a.credentials_changed_at FROM accounts a \
         WHERE a.credentials_changed_at >= $1 AND a.credentials_changed_at > a.created_at) \
         SELECT u.tenant_id, u.subject, c.credentials_changed_at FROM changed c \
         JOIN tenant_users u ON u.account_id = c.id \
         UNION ALL SELECT p.tenant_id, p.subject, c.credentials_changed_at FROM changed c \
         JOIN tenant_users u ON u.account_id = c.id \
         JOIN pairwise_subjects p ON p.tenant_id = u.tenant_id AND p.tenant_user_id = u.id"
    );
    tx.call(select, args![since.max(settled - HORIZON)])
}

fn of_account(row: &Row) -> Result<(Mark, Entry)> {
    let revoked_at = row.time("credentials_changed_at")?;
    let entry = Entry { revoked_at, expires_at: revoked_at + HORIZON };
    Ok(((row.parse("tenant_id")?, Revoked::Subject(row.text("subject")?)), entry))
}

impl List {
    /// A subject is revoked by its tenant and by a change of its account's credentials: the later one counts.
    fn put(&mut self, mark: Mark, entry: Entry) {
        let before = self.entries.get(&mark).copied();
        let entry = before.filter(|before| before.revoked_at > entry.revoked_at).unwrap_or(entry);
        self.entries.insert(mark.clone(), entry);
        // The next look asks again for what the last one has seen.
        if before.is_none_or(|before| minute(before.expires_at) != minute(entry.expires_at)) {
            self.by_expiry.entry(minute(entry.expires_at)).or_default().push(mark);
        }
    }

    /// Forgets what expired before this minute.
    fn forget(&mut self, now: Timestamp) {
        let later = self.by_expiry.split_off(&minute(now));
        for mark in std::mem::replace(&mut self.by_expiry, later).into_values().flatten() {
            // What was revoked again meanwhile stands in a later minute too.
            if self.entries.get(&mark).is_some_and(|entry| minute(entry.expires_at) < minute(now)) {
                self.entries.remove(&mark);
            }
        }
    }
}

fn minute(at: Timestamp) -> i64 {
    at.as_secs().div_euclid(60)
}

/// When a revocation of `now` may be forgotten: the last token that it concerns has expired by itself.
pub(crate) fn horizon(now: Timestamp) -> Timestamp {
    now + LONGEST_LIFETIME
}

/// Revokes until the last token that it concerns has expired by itself. A request that was stamped earlier, or on a node whose clock is
/// behind, may commit later: it takes nothing back.
pub fn revoke(tx: &mut Tx<Tenant>, cx: &Cx, mark: &Revoked) {
    let upsert = quiet_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (tenant_id, kind, value) DO UPDATE SET revoked_at = excluded.revoked_at, expires_at = excluded.expires_at \
         WHERE revocations.revoked_at < excluded.revoked_at"
    );
    let (kind, value) = mark.stored_form();
    tx.later(upsert, args![kind, value, cx.now, horizon(cx.now)]);
}

/// Which tokens a revocation ends.
#[derive(Clone, Copy)]
enum Reach {
    /// Every one: what is revoked never comes back, so that a token which a racing request stamped later is dead too.
    Every,
    /// Those of before, and those of every family that began before, so that a token of it which a racing request stamped later is
    /// dead: a family begins with what was allowed, by its id.
    Families,
    /// Those of before. A person's families are marked one by one, as a change of password lets some go on.
    Issued,
}

impl Reach {
    fn covers(self, claims: &Claims, revoked_at: Timestamp) -> bool {
        let was_issued_before = || Timestamp::from_secs(claims.iat) <= revoked_at;
        let began_before = || family(claims).is_some_and(|family| family.made_at() <= revoked_at);
        match self {
            Self::Every => true,
            Self::Families => was_issued_before() || began_before(),
            Self::Issued => was_issued_before(),
        }
    }
}

impl Revoked {
    fn reach(&self) -> Reach {
        match self {
            Self::Jti(_) | Self::Family(_) | Self::Session(_) => Reach::Every,
            Self::App(_) | Self::Consent { .. } | Self::Member { .. } | Self::Organization(_) => {
                Reach::Families
            }
            Self::Subject(_) => Reach::Issued,
        }
    }

    fn stored_form(&self) -> (&'static str, String) {
        match self {
            Self::Jti(jti) => ("jti", jti.clone()),
            Self::Family(family) => ("family", family.to_string()),
            Self::Session(session) => ("session", session.to_string()),
            Self::Subject(subject) => ("subject", subject.clone()),
            // No subject has a space.
            Self::Consent { sub, client_id } => ("subject", format!("{sub} {client_id}")),
            Self::App(app) => ("app", app.clone()),
            // No application has the id of an organization.
            Self::Member { sub, organization } => ("subject", format!("{sub} {organization}")),
            Self::Organization(organization) => ("app", organization.to_string()),
        }
    }

    fn of_subject_at(sub: String, at: &str) -> Self {
        match at.parse() {
            Ok(organization) => Self::Member { sub, organization },
            Err(_) => Self::Consent { sub, client_id: at.to_owned() },
        }
    }

    fn stored(kind: &str, value: String) -> Result<Self> {
        match kind {
            "jti" => Ok(Self::Jti(value)),
            "family" => Ok(Self::Family(value.parse()?)),
            "session" => Ok(Self::Session(value.parse()?)),
            "subject" => Ok(match value.split_once(' ') {
                Some((sub, at)) => Self::of_subject_at(sub.to_owned(), at),
                None => Self::Subject(value),
            }),
            "app" => Ok(value.parse().map_or_else(|_| Self::App(value), Self::Organization)),
            _ => Err(Error::internal(format!("a revocation of unknown kind {kind}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use svc_config::Config;
    use svc_core::SeededEntropy;

    use super::*;
    use crate::tokens::access_token::OrganizationContext;

    const TENANT: &str = "tnt_00000000000000000000000001";

    /// A token of a family that began at one time, stamped at another; both in microseconds.
    fn token(began: i64, issued: i64) -> Claims {
        let family = FamilyId::new(Timestamp::from_micros(began), &SeededEntropy::new(1));
        let issued = Timestamp::from_micros(issued).as_secs();
        serde_json::from_value(json!({
            "iss": "https://id.example", "sub": "ada", "aud": "https://api.example", "client_id": "web",
            "jti": format!("{family}.x"), "tenant_id": TENANT, "scope": "openid", "subject_type": "human",
            "iat": issued, "nbf": issued, "exp": issued + 900,
        }))
        .unwrap()
    }

    #[test]
    fn what_began_before_the_end_of_its_application_or_consent_is_dead_whenever_it_was_stamped() {
        let revoked_at = 1_800_000_000_700_000;
        for mark in [
            Revoked::App("web".to_owned()),
            Revoked::Consent { sub: "ada".to_owned(), client_id: "web".to_owned() },
        ] {
            let revocations = Revocations::default();
            let at = Timestamp::from_micros(revoked_at);
            let entry = Entry { revoked_at: at, expires_at: horizon(at) };
            revocations.list.write().unwrap().put((TENANT.parse().unwrap(), mark.clone()), entry);
            for (began, issued, is_dead) in [
                (-5_000_000, -5_000_000, true),
                (-100_000, -100_000, true),
                // A request that raced with the revocation, and read the clock after it.
                (-100_000, 200_000, true),
                (-100_000, 1_300_000, true),
                (-5_000_000, 60_000_000, true),
                // Begun and issued within the second of the revocation: dead too, as a token's time is in seconds.
                (100_000, 200_000, true),
                (100_000, 400_000, false),
                (5_000_000, 5_000_000, false),
            ] {
                let token = token(revoked_at + began, revoked_at + issued);
                assert_eq!(
                    revocations.is_revoked(&token),
                    is_dead,
                    "{mark:?}: began {began}, issued {issued}"
                );
            }
        }
    }

    #[test]
    fn what_ends_in_an_organization_ends_there_alone() {
        let (at, other) = (Timestamp::from_micros(1_800_000_000_700_000), SeededEntropy::new(2));
        let organization = OrganizationId::new(at, &SeededEntropy::new(1));
        let there = |organization: OrganizationId, sub: &str| {
            let claims = token(1_800_000_000_000_000, 1_800_000_005_000_000);
            let org = OrganizationContext { id: organization, slug: "initech".to_owned(), roles: Vec::new() };
            Claims { org: Some(org), sub: sub.to_owned(), ..claims }
        };
        for (mark, ends_others) in [
            (Revoked::Member { sub: "ada".to_owned(), organization }, false),
            (Revoked::Organization(organization), true),
        ] {
            let revocations = Revocations::default();
            let entry = Entry { revoked_at: at, expires_at: horizon(at) };
            revocations.list.write().unwrap().put((TENANT.parse().unwrap(), mark.clone()), entry);
            assert!(revocations.is_revoked(&there(organization, "ada")), "{mark:?}");
            assert_eq!(revocations.is_revoked(&there(organization, "bob")), ends_others, "{mark:?}");
            assert!(!revocations.is_revoked(&there(OrganizationId::new(at, &other), "ada")), "{mark:?}");
            assert!(
                !revocations.is_revoked(&token(1_800_000_000_000_000, 1_800_000_000_000_000)),
                "{mark:?}"
            );
            let ended =
                |began| revocations.has_ended(TENANT.parse().unwrap(), began, [mark.clone(), mark.clone()]);
            assert!(ended(at) && !ended(at + Seconds(1)));
        }
    }

    #[test]
    fn no_access_token_can_be_configured_to_outlive_its_revocation() {
        for key in ["access_token_lifetime_human_secs", "access_token_lifetime_agent_secs"] {
            let faults = |lifetime: Seconds| {
                let env = [(format!("SVC_JWT__{}", key.to_uppercase()), lifetime.0.to_string())];
                Config::load(None, &env).err().map(|faults| faults.to_string()).unwrap_or_default()
            };
            assert!(!faults(LONGEST_LIFETIME).contains(key), "{}", faults(LONGEST_LIFETIME));
            let longer = faults(Seconds(LONGEST_LIFETIME.0 + 1));
            assert!(longer.contains(key), "{key}: {longer}");
        }
    }

    fn mark(jti: &str) -> Mark {
        (TENANT.parse().unwrap(), Revoked::Jti(jti.to_owned()))
    }

    fn until(secs: i64) -> Entry {
        Entry { revoked_at: Timestamp::from_secs(0), expires_at: Timestamp::from_secs(secs) }
    }

    #[test]
    fn what_is_stored_is_read_as_it_was() {
        let (sub, client_id) = ("subject".to_owned(), "https://client.example/a".to_owned());
        let organization = OrganizationId::new(Timestamp::from_secs(0), &SeededEntropy::new(1));
        for mark in [
            Revoked::Subject(sub.clone()),
            Revoked::Consent { sub: sub.clone(), client_id: client_id.clone() },
            Revoked::Member { sub, organization },
            Revoked::App(client_id),
            Revoked::Organization(organization),
        ] {
            let (kind, value) = mark.stored_form();
            assert_eq!(Revoked::stored(kind, value).unwrap(), mark);
        }
    }

    #[test]
    fn what_expired_is_forgotten_and_nothing_else() {
        let mut list = List::default();
        list.put(mark("early"), until(59));
        list.put(mark("late"), until(120));
        list.forget(Timestamp::from_secs(60));
        assert!(!list.entries.contains_key(&mark("early")));
        assert!(list.entries.contains_key(&mark("late")));
        list.forget(Timestamp::from_secs(180));
        assert!(list.entries.is_empty() && list.by_expiry.is_empty());
    }

    #[test]
    fn a_revocation_that_is_repeated_lasts_as_long_as_the_last_one_and_is_noted_once() {
        let mut list = List::default();
        for _ in 0..3 {
            list.put(mark("one"), until(30));
        }
        list.put(mark("one"), until(90));
        assert_eq!(list.by_expiry.values().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
        list.forget(Timestamp::from_secs(61));
        assert!(list.entries.contains_key(&mark("one")));
        list.forget(Timestamp::from_secs(121));
        assert!(list.entries.is_empty());
    }
}
