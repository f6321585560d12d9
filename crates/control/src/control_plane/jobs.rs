//! `/api/v1/control-plane/jobs`: the processes of the deployment, and how their background jobs are doing.

use serde::Serialize;
use svc_core::Result;
use svc_domain::coordination::processes::{self, Process};
use svc_domain::people::operators::Role;
use svc_http::{Json, OperatorCx, Problem, Route, Routes};
use utoipa::ToSchema;

/// The operations.
pub(super) fn routes() -> Routes {
    Routes::new([Route::get("/api/v1/control-plane/jobs")
        .operator(Role::Viewer, list)
        .summary("See the processes that run, and how their background jobs are doing")
        .describe("A process reports itself every 15 seconds, and is not listed any more when it was silent for 45.")])
}

/// The processes, the first started one first.
#[derive(Debug, Serialize, ToSchema)]
struct RunningProcesses {
    processes: Vec<Process>,
}

async fn list(caller: OperatorCx) -> Result<Json<RunningProcesses>, Problem> {
    let mut tx = caller.app.db.read_system().await?;
    Ok(Json(RunningProcesses { processes: processes::running(&mut tx, caller.now).await? }))
}
