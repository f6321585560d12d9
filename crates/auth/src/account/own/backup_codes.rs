//! Codes on paper that stand in for a second factor, each once.

use svc_core::Result;
use svc_domain::people::credentials::backup_codes::digest_of;
use svc_domain::people::credentials::{self, Credential, Kind, lookup_of};

use super::super::denied::Denied;
use super::credentials::kept;
use super::owner::Own;
use crate::pages::{Changed, Topic};
use crate::signin::methods::backup_code::new_code;

/// The codes of an account.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// How many are left.
    pub left: u32,
    /// Whether there is a second factor that they could stand in for.
    pub has_factor: bool,
}

/// The codes of the account.
pub async fn standing(own: &Own) -> Result<Standing> {
    let all = kept(own, &mut own.host.read().await?).await?;
    let left = all.iter().filter(|one| one.kind == Some(Kind::BackupCode)).count();
    let has_factor = all.iter().any(Credential::is_factor);
    Ok(Standing { left: u32::try_from(left).unwrap_or(u32::MAX), has_factor })
}

/// Makes new codes, which end the old ones, and mails the owner. They are told once.
pub async fn make(own: &Own) -> Result<std::result::Result<Vec<String>, Denied>> {
    let (cx, owner) = (own.cx(), own.owner());
    let count = own.host.app.config.two_factor.backup_code_count;
    let codes: Vec<String> = (0..count).map(|_| new_code(&*cx.entropy)).collect();
    let mut tx = own.host.begin().await?;
    // Held, so that of two requests at once the codes of one count.
    if !credentials::held_of_account(&mut tx, owner.account).await?.iter().any(Credential::is_factor) {
        return Ok(Err(Denied::SecondFactorMissing));
    }
    let lookups = codes.iter().map(|code| lookup_of(digest_of(owner.account, code))).collect();
    credentials::replace_codes(&mut tx, cx, owner, ("Backup code", lookups)).await?;
    own.tell(&mut tx, Topic::CredentialAdded(Changed::BackupCodes))?;
    tx.commit().await?;
    Ok(Ok(codes))
}
