//! Hints that may be wrong without harm (OpenID Connect Core §3.1.2.1): `login_hint`, `ui_locales`.

use svc_core::Result;

use crate::authorize::arrived::CheckInput;
use crate::authorize::request::AuthorizationRequest;

/// Longest hint in bytes; a longer one is as good as none.
const LONGEST: usize = 254;

/// Keeps what can help; `display`, `claims_locales` and unknown parameters change nothing.
#[expect(clippy::unnecessary_wraps, reason = "all checks of the matrix have one shape")]
pub fn check(input: &CheckInput<'_>, request: &mut AuthorizationRequest) -> Result<()> {
    let hint = |name| {
        let usable = |text: &&str| text.len() <= LONGEST && !text.chars().any(char::is_control);
        input.params.one(name).filter(usable).map(str::to_owned)
    };
    request.login_hint = hint("login_hint");
    request.ui_locales = hint("ui_locales");
    Ok(())
}
