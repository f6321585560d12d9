//! Browsers that ask for recovery: each has a code of its own, so that a guardian who was told one confirms no other.

use svc_core::text::one_time_code;
use svc_core::{Cx, Digest, RecoveryCaseId, Result, TenantUserId, Timestamp};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};

use crate::log::{Meaning, change};
use crate::people::login_history::{network_of, words};

/// Most browsers of one case. Those that no guardian has confirmed give way to newer ones, the oldest first.
pub const MOST_BROWSERS: u32 = 50;

/// A browser that asks.
#[derive(Clone, Copy)]
pub struct NewBrowser<'a> {
    /// The digest of the secret in its cookie.
    pub digest: Digest,
    /// The code that it shows.
    pub code: &'a str,
    /// What it calls itself.
    pub user_agent: &'a str,
}

/// A browser that has asked, as the owner of the account sees it.
#[derive(Clone, Debug)]
pub struct Browser {
    /// The digest of the secret in its cookie.
    pub digest: Digest,
    /// When it asked.
    pub opened_at: Timestamp,
    /// The network that it came from.
    pub network: String,
    /// The browser, in a word.
    pub browser: String,
    /// The system, in a word.
    pub os: String,
}

/// The form in which a code is stored and compared.
pub(super) fn code_digest(person: TenantUserId, code: &str) -> Digest {
    let digits: String = one_time_code(code).chars().filter(char::is_ascii_alphanumeric).collect();
    svc_keys::digest(&format!("recovery code of {person} {digits}"))
}

/// Adds a browser to a case.
pub(super) async fn add(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (case, person): (RecoveryCaseId, TenantUserId),
    (new, meaning): (NewBrowser<'_>, Meaning),
) -> Result<()> {
    let older = quiet_sql!(
        "gives way to the browser that follows, which is recorded",
        "DELETE FROM recovery_browsers WHERE tenant_id = $1 AND digest IN (SELECT b.digest FROM recovery_browsers b \
         WHERE b.tenant_id = $1 AND b.case_id = $2 AND NOT EXISTS (SELECT 1 FROM recovery_answers a \
         WHERE a.tenant_id = $1 AND a.browser_digest = b.digest) ORDER BY b.opened_at DESC LIMIT 1000 OFFSET $3)"
    );
    tx.execute(older, args![case, MOST_BROWSERS - 1]).await?;
    let insert = change_sql!(
        "INSERT INTO recovery_browsers (tenant_id, digest, case_id, code_digest, opened_at, network, browser, os) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    );
    let (browser, os) = words(new.user_agent);
    let code = code_digest(person, new.code);
    let arguments = args![new.digest, case, code, cx.now, network_of(cx), browser, os];
    change(tx, cx, insert, arguments, meaning).await.map(drop)
}

/// The browsers of a case, the latest first.
pub(super) async fn of_case(tx: &mut Tx<Tenant>, case: RecoveryCaseId) -> Result<Vec<Browser>> {
    let select = sql!(
        "SELECT digest, opened_at, network, browser, os FROM recovery_browsers WHERE tenant_id = $1 AND case_id = $2 \
         ORDER BY opened_at DESC"
    );
    tx.all(select, args![case]).await?.iter().map(browser).collect()
}

/// The browser of a case that shows a code.
pub(super) async fn by_code(
    tx: &mut Tx<Tenant>,
    (case, person): (RecoveryCaseId, TenantUserId),
    code: &str,
) -> Result<Option<Digest>> {
    let select = sql!(
        "SELECT digest FROM recovery_browsers WHERE tenant_id = $1 AND case_id = $2 AND code_digest = $3 LIMIT 1"
    );
    let row = tx.optional(select, args![case, code_digest(person, code)]).await?;
    row.map(|row| row.digest("digest")).transpose()
}

fn browser(row: &Row) -> Result<Browser> {
    Ok(Browser {
        digest: row.digest("digest")?,
        opened_at: row.time("opened_at")?,
        network: row.text("network")?,
        browser: row.text("browser")?,
        os: row.text("os")?,
    })
}
