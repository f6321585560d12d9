//! Programs of the tenants' modules in memory, and runs of them: a bounded number at once, on threads that may block.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use svc_core::{HookModuleId, OrInternal as _, Result, TenantId, TenantRef};
use svc_db::Db;
use tokio::sync::Semaphore;

use super::{Bounds, Program, modules};
use crate::memory::{self, CacheCounts, Kept};

/// Most bytes of programs in memory.
const BYTES: u64 = 64 << 20;
/// How much longer a program is than its module.
const TRANSLATED: usize = 8;

/// Finds programs, and runs them.
pub struct Programs {
    db: Db,
    kept: Kept<(TenantRef, HookModuleId), Loaded>,
    free: Arc<Semaphore>,
}

#[derive(Clone)]
struct Loaded {
    program: Arc<Program>,
    size: usize,
}

impl Programs {
    /// Nothing yet, over `db`; as many at once as the machine has cores.
    pub fn new(db: Db) -> Self {
        let weigh = |_: &(TenantRef, HookModuleId), loaded: &Loaded| loaded.size * TRANSLATED;
        let cores = available_parallelism().map_or(1, usize::from);
        Self { db, kept: memory::bounded(BYTES, weigh), free: Arc::new(Semaphore::new(cores)) }
    }

    /// How often memory had a program.
    pub fn counts(&self) -> CacheCounts {
        self.kept.counts()
    }

    /// Asks a module, for at most `time` from now; the inner error is what is wrong with the module or its answer.
    pub async fn ask(
        &self,
        (tenant, module): (TenantId, HookModuleId),
        question: String,
        (bounds, time): (Bounds, Duration),
    ) -> Result<Result<Vec<u8>, String>> {
        let over = Over(Arc::new(AtomicBool::new(false)));
        match tokio::time::timeout(time, self.run((tenant, module), question, bounds, &over)).await {
            Ok(answered) => answered,
            Err(_) => Ok(Err("there was no whole answer in time".to_owned())),
        }
    }

    async fn run(
        &self,
        module: (TenantId, HookModuleId),
        question: String,
        bounds: Bounds,
        over: &Over,
    ) -> Result<Result<Vec<u8>, String>> {
        let Some(program) = self.program(module).await? else {
            return Ok(Err("its module is gone".to_owned()));
        };
        let permit = Arc::clone(&self.free).acquire_owned().await.or_internal()?;
        let over = Arc::clone(&over.0);
        let run = move || {
            let answer = program.run(question.as_bytes(), bounds, &|| over.load(Ordering::Relaxed));
            drop(permit);
            answer
        };
        tokio::task::spawn_blocking(run).await.or_internal()
    }

    async fn program(&self, (tenant, id): (TenantId, HookModuleId)) -> Result<Option<Arc<Program>>> {
        let key = (tenant.reference(), id);
        if let Some(loaded) = self.kept.find(&key) {
            return Ok(Some(loaded.program));
        }
        let Some(bytes) = modules::bytes(&mut self.db.read(tenant).await?, id).await? else {
            return Ok(None);
        };
        let size = bytes.len();
        let read = tokio::task::spawn_blocking(move || Program::read(&bytes)).await.or_internal()?;
        let loaded = Loaded { program: Arc::new(read.or_internal()?), size };
        Ok(Some(self.kept.get_or_insert(&key, loaded).program))
    }
}

/// Says to a running program that its answer is not waited for any more: the time is over, or the request was given up.
struct Over(Arc<AtomicBool>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
