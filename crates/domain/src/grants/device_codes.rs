//! Device codes (RFC 8628): shown on a device without a browser, decided by the person who enters their short code.

use serde_json::json;
use svc_core::{AppId, Cx, DeviceCodeId, Digest, Entropy, FamilyId, Result, TenantUserId, Timestamp};
use svc_db::{Row, Tenant, Tx, args, before, change_sql, quiet_sql, sql};

use crate::document;
use crate::grants::polled::{self, Decision, Pace, Wanted};
use crate::log::{Action, Meaning, change, change_later};

/// The letters of user codes: no vowels, so that no words come about (RFC 8628 §6.1).
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
const LENGTH: usize = 8;

/// A request that waits for its decision, with the code that the device shows.
pub type Pending = polled::Pending<DeviceCodeId, String>;

/// Which of a person's requests a list asks for.
pub type Page = polled::Page<DeviceCodeId>;

/// Reads requests of devices; the argument says which.
macro_rules! device_codes_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, app_id, request, user_code, created_at, expires_at FROM device_codes WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Stores a new device code by its digest; returns the user code that goes with it. Where a request that waits has the same user
/// code, the commit is a conflict.
pub fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    digest: Digest,
    by: (AppId, &Wanted),
    pace: Pace,
) -> Result<String> {
    let insert = change_sql!(
        "INSERT INTO device_codes (tenant_id, id, digest, user_code, app_id, family_id, request, state, interval_secs, \
         created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', $8, $9, $10)"
    );
    let (app, wanted) = by;
    let (id, family): (DeviceCodeId, FamilyId) = (cx.id(), cx.id());
    let (user_code, ends) = (fresh(&*cx.entropy), cx.now + pace.lifetime);
    let request = document::store(wanted)?;
    let arguments = args![id, digest, &user_code, app, family, request, pace.interval.0, cx.now, ends];
    let facts = json!({ "scope": wanted.scope, "audience": wanted.audience, "device_code_id": id });
    let meaning = Meaning::done(Action::DeviceRequested, app).with(facts);
    change_later(tx, cx, insert, arguments, meaning);
    Ok(user_code)
}

/// Gives the request behind a user code to the person who entered it; nothing, if there is none that waits.
pub async fn claim(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    user_code: &str,
    person: TenantUserId,
) -> Result<Option<Pending>> {
    let update = quiet_sql!(
        "says who typed the code; the decision is recorded",
        "UPDATE device_codes SET tenant_user_id = $3 WHERE tenant_id = $1 AND user_code = $2 AND state = 'pending' \
         AND expires_at > $4 RETURNING id, app_id, request, user_code, created_at, expires_at"
    );
    tx.optional(update, args![user_code, person, cx.now]).await?.as_ref().map(pending).transpose()
}

/// The requests whose codes a person has entered and not decided, newest first.
pub async fn of_person(
    tx: &mut Tx<Tenant>,
    person: TenantUserId,
    now: Timestamp,
    page: &Page,
) -> Result<Vec<Pending>> {
    let select = device_codes_sql!(
        "tenant_user_id = $2 AND state = 'pending' AND expires_at > $3 AND id < $4 ORDER BY id DESC LIMIT $5"
    );
    let arguments = args![person, now, before(page.cursor), page.limit];
    tx.all(select, arguments).await?.iter().map(pending).collect()
}

/// One whose code a person has entered, decided or not.
pub async fn find(tx: &mut Tx<Tenant>, id: DeviceCodeId, person: TenantUserId) -> Result<Option<Pending>> {
    let select = device_codes_sql!("id = $2 AND tenant_user_id = $3");
    tx.optional(select, args![id, person]).await?.as_ref().map(pending).transpose()
}

/// Decides a request: one statement, so that of two decisions at once one wins and the other is a conflict.
pub async fn decide(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (id, person): (DeviceCodeId, TenantUserId),
    decision: Decision<'_>,
) -> Result<()> {
    let update = change_sql!(
        "UPDATE device_codes SET state = $4, authorization_grant = $5, decided_at = $6, session_id = $7, \
         family_id = $8, organization_id = $9 \
         WHERE tenant_id = $1 AND id = $2 AND tenant_user_id = $3 AND state = 'pending' AND expires_at > $6"
    );
    // What is allowed begins now: a revocation between the request and the decision does not concern it.
    let (session, family): (_, FamilyId) = (decision.session(), cx.id());
    let (state, organization) = (decision.state(), decision.organization());
    let arguments = args![id, person, state, decision.grant()?, cx.now, session, family, organization];
    if change(tx, cx, update, arguments, decision.meaning(Action::DeviceDecided, id)).await? == 0 {
        let own =
            sql!("SELECT id FROM device_codes WHERE tenant_id = $1 AND id = $2 AND tenant_user_id = $3");
        return Err(polled::undecided(tx.optional(own, args![id, person]).await?.is_some()));
    }
    Ok(())
}

/// The one form of a user code as a person typed it; nothing where it cannot be one.
pub fn normalised(typed: &str) -> Option<String> {
    if typed.len() > 64 {
        return None;
    }
    let letters = typed.chars().filter(|c| !c.is_whitespace() && *c != '-' && *c != '.' && *c != '_');
    let code: String = letters.map(|c| c.to_ascii_uppercase()).collect();
    let is_code = code.len() == LENGTH && code.bytes().all(|byte| LETTERS.contains(&byte));
    is_code.then_some(code)
}

/// A user code as people read it: `BCDF-GHJK`.
pub fn shown(user_code: &str) -> String {
    let (first, second) = user_code.split_at_checked(LENGTH / 2).unwrap_or((user_code, ""));
    format!("{first}-{second}")
}

/// A code of uniformly distributed letters.
fn fresh(entropy: &dyn Entropy) -> String {
    // 240 is the largest multiple of 20 in a byte; what lies above would favour the first letters.
    const FAIR: u8 = 240;
    let mut code = String::with_capacity(LENGTH);
    while code.len() < LENGTH {
        let mut random = [0; 16];
        entropy.fill(&mut random);
        let letters = random
            .into_iter()
            .filter(|byte| *byte < FAIR)
            .filter_map(|byte| LETTERS.get(usize::from(byte) % 20));
        code.extend(letters.take(LENGTH - code.len()).map(|letter| char::from(*letter)));
    }
    code
}

fn pending(row: &Row) -> Result<Pending> {
    polled::pending(row, row.text("user_code")?)
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;

    use super::*;

    #[test]
    fn a_user_code_is_eight_letters_without_vowels_and_survives_typing() {
        let entropy = SeededEntropy::new(1);
        for _ in 0..100 {
            let code = fresh(&entropy);
            assert_eq!(normalised(&code).as_deref(), Some(code.as_str()));
            assert_eq!(
                normalised(&format!(" {} ", shown(&code).to_lowercase())).as_deref(),
                Some(code.as_str())
            );
        }
        assert_eq!(shown("BCDFGHJK"), "BCDF-GHJK");
    }

    #[test]
    fn every_letter_of_user_codes_is_as_likely_as_any_other() {
        let entropy = SeededEntropy::new(2);
        let text: String = (0..2_000).map(|_| fresh(&entropy)).collect();
        for letter in LETTERS {
            let count = text.bytes().filter(|byte| byte == letter).count();
            assert!((700..900).contains(&count), "{}: {count}", char::from(*letter));
        }
    }

    #[test]
    fn what_cannot_be_a_user_code_is_none() {
        let long = "B".repeat(1000);
        for bad in ["", "BCDF-GHJ", "BCDF-GHJKL", "ACDF-GHJK", "BCDF GHJ1", "ＢCDFGHJK", "BCDF'GHJK", &long]
        {
            assert_eq!(normalised(bad), None, "{bad}");
        }
    }
}
