//! When and where the person signed in.

use svc_core::{LoginId, Result};
use svc_domain::people::login_history::{self, Login};

use super::owner::Own;

/// A page of the person's attempts to sign in, newest first, before the one of the cursor.
pub async fn page(own: &Own, asked: (Option<LoginId>, u32)) -> Result<Vec<Login>> {
    login_history::list(&mut own.host.read().await?, own.person.id, None, asked).await
}
