//! Asks a module, which runs in this process within the fuel and the memory of the configuration.

use svc_core::{HookModuleId, Result};
use svc_domain::hooks::Bounds;

use super::{Asking, Replied};

pub(super) async fn ask(asking: Asking<'_>, module: HookModuleId) -> Result<Replied> {
    let Asking { app, tenant, question, time, .. } = asking;
    let hooks = &app.config.hooks;
    let bounds = Bounds { fuel: hooks.module_fuel, memory: (hooks.module_memory_mib as usize) << 20 };
    let body = app.services.programs.ask((tenant.id, module), question, (bounds, time)).await?;
    let answer = body.as_ref().ok().map(|body| String::from_utf8_lossy(body).into_owned());
    Ok(Replied { headers: Vec::new(), status: None, answer, body })
}
