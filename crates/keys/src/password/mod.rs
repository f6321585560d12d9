//! Password hashes: Argon2id (RFC 9106) on a fixed set of threads, behind a bounded queue.
//!
//! One hash takes tens of milliseconds and 64 MiB, so the rate of sign-ins is the rate of this pool. Each
//! thread keeps its memory between hashes, because faulting it in again costs as much as hashing, and gives it
//! back after a while without work. Tenants have turns, so that a flood of sign-ins at one holds up no other.

mod arena;
pub mod foreign;
mod queue;
mod recipe;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use svc_core::{Entropy, Error, OrInternal as _, Result, Secret, TenantRef};
use tokio::sync::oneshot;

use self::arena::Arena;
use self::foreign::Scheme;
use self::queue::{Job, Queue, Turn};
use self::recipe::{Recipe, Stored};

/// How long a password may wait for a thread.
const PATIENCE: Duration = Duration::from_secs(2);
/// More waiting passwords per thread than it could hash within [`PATIENCE`].
const WAITING_PER_WORKER: usize = 32;
/// How far hashing threads step back, in the kernel's units: by 10 they get about a tenth of a processor that another thread keeps busy.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;
/// How long a thread without work keeps its memory.
const REST: Duration = Duration::from_secs(30);

/// The cost of a hash, and how many run at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordParams {
    /// Memory of one hash, in KiB.
    pub memory_kib: u32,
    /// Passes over that memory.
    pub iterations: u32,
    /// Lanes.
    pub parallelism: u32,
    /// Threads, each with memory of its own.
    pub max_concurrent: usize,
}

/// What is to be done with a password.
enum Work {
    /// Makes the tag.
    Argon2 { recipe: Recipe, salt: Vec<u8> },
    /// Compares it with a hash of another system; the answer is [`RIGHT`] or empty.
    Foreign(Box<dyn Scheme>),
}

const RIGHT: &[u8] = &[1];
/// The salt of a hash that is made for the time it takes.
const IN_VAIN: &[u8] = &[0; 16];

/// Hashes and verifies passwords; dropping it ends its threads.
pub struct PasswordPool {
    queue: Arc<Queue>,
    recipe: Recipe,
    workers: Vec<JoinHandle<()>>,
    asked: AtomicU64,
}

/// The pool as one tenant uses it.
#[derive(Clone, Copy)]
pub struct Turns<'a> {
    pool: &'a PasswordPool,
    whose: Option<TenantRef>,
}

impl PasswordPool {
    /// Starts the threads; their memory is taken only when first needed.
    pub fn new(params: PasswordParams) -> Result<Self> {
        Self::with_limits(params, params.max_concurrent.saturating_mul(WAITING_PER_WORKER), PATIENCE)
    }

    /// The pool as a tenant uses it; nothing stands for the operator, who has turns like a tenant.
    pub fn of(&self, whose: Option<TenantRef>) -> Turns<'_> {
        Turns { pool: self, whose }
    }

    /// Whether a hash that has just verified should be made again with the present parameters.
    pub fn needs_rehash(&self, phc: &str) -> bool {
        Stored::parse(phc, &self.recipe).map_or(true, |stored| stored.recipe != self.recipe)
    }

    /// How many hashes it has been asked for, so that a test can compare what two requests cost.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// How many passwords wait for a thread.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    fn with_limits(params: PasswordParams, waiting: usize, patience: Duration) -> Result<Self> {
        let recipe = Recipe::new(&params)?;
        let queue = Arc::new(Queue::new(waiting));
        let (asked, workers) = (AtomicU64::default(), Vec::new());
        let mut pool = Self { queue: Arc::clone(&queue), recipe: recipe.clone(), workers, asked };
        for number in 0..params.max_concurrent.max(1) {
            let (queue, arena) = (Arc::clone(&queue), Arena::new(&recipe)?);
            let thread = Builder::new().name(format!("password-{number}"));
            let worker = thread.spawn(move || work(&queue, arena, patience)).or_internal()?;
            pool.workers.push(worker);
        }
        Ok(pool)
    }
}

impl Turns<'_> {
    /// Hashes a new password into a PHC string.
    ///
    /// The caller has normalised it and bounded its length.
    pub async fn hash(self, password: &Secret, entropy: &dyn Entropy) -> Result<String> {
        let mut salt = [0; 16];
        entropy.fill(&mut salt);
        let tag = self.run(password, &self.pool.recipe, &salt).await?;
        self.pool.recipe.phc(&salt, &tag)
    }

    /// Whether `password` is the one that `phc` was made of.
    ///
    /// Without a hash (no account of that name, or no password) the same work is done in the same queue.
    /// A hash of another system is verified in the same queue, and our own work is done meanwhile: where the old hash costs less, a
    /// wrong password takes no longer than without a hash.
    pub async fn verify(self, password: &Secret, phc: Option<&str>) -> Result<bool> {
        let Some(phc) = phc else {
            self.run(password, &self.pool.recipe, IN_VAIN).await?;
            return Ok(false);
        };
        if !foreign::is_argon2(phc) {
            return self.verify_foreign(password, phc).await;
        }
        let stored = Stored::parse(phc, &self.pool.recipe)?;
        let tag = self.run(password, &stored.recipe, &stored.salt).await?;
        Ok(crate::constant_time_eq(&tag, &stored.tag))
    }

    async fn verify_foreign(self, password: &Secret, text: &str) -> Result<bool> {
        let malformed = || Error::internal("a stored password hash is malformed");
        let scheme = foreign::read(text).ok_or_else(malformed)?;
        if !scheme.is_affordable() {
            return Err(Error::internal("a stored password hash asks for more work than is allowed"));
        }
        let theirs = self.begin(password, Work::Foreign(scheme))?;
        let ours = self.begin(password, argon2(&self.pool.recipe, IN_VAIN))?;
        if theirs.await.or_internal()?? == RIGHT {
            // Ours is given up: a new hash is made now.
            return Ok(true);
        }
        ours.await.or_internal()??;
        Ok(false)
    }

    async fn run(self, password: &Secret, recipe: &Recipe, salt: &[u8]) -> Result<Vec<u8>> {
        self.begin(password, argon2(recipe, salt))?.await.or_internal()?
    }

    /// Takes a place in the queue; the work is given up where its answer is not waited for any more.
    fn begin(self, password: &Secret, work: Work) -> Result<oneshot::Receiver<Result<Vec<u8>>>> {
        let Self { pool, whose } = self;
        pool.asked.fetch_add(1, Ordering::Relaxed);
        let (reply, answer) = oneshot::channel();
        pool.queue.push(Job { whose, password: password.clone(), work, since: Instant::now(), reply })?;
        Ok(answer)
    }
}

fn argon2(recipe: &Recipe, salt: &[u8]) -> Work {
    Work::Argon2 { recipe: recipe.clone(), salt: salt.to_vec() }
}

impl Drop for PasswordPool {
    fn drop(&mut self) {
        self.queue.close();
    }
}

fn work(queue: &Queue, mut arena: Arena, patience: Duration) {
    step_back();
    while turn(queue, &mut arena, patience, REST) {}
}

/// Lets the threads that answer requests go first where processors are scarce: a hash takes a hundred times as long as a
/// token. Only Linux has a priority per thread.
fn step_back() {
    // A thread may always step back; one that cannot still hashes.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

/// Does one thing, and says whether there may be more to do. Only a thread that holds memory wakes up without work.
fn turn(queue: &Queue, arena: &mut Arena, patience: Duration, rest: Duration) -> bool {
    match queue.next(arena.is_taken().then_some(rest)) {
        Turn::Hash(job) => answer(arena, *job, patience),
        Turn::Idle => arena.release(),
        Turn::End => return false,
    }
    true
}

fn answer(arena: &mut Arena, job: Job, patience: Duration) {
    // The request was cancelled: it does not wait any more.
    if job.reply.is_closed() {
        return;
    }
    let answer = if job.since.elapsed() >= patience { Err(busy()) } else { hash(arena, &job) };
    // The request may be cancelled at this very moment, too.
    let _ = job.reply.send(answer);
}

/// A panic costs its own request, not the thread.
fn hash(arena: &mut Arena, job: &Job) -> Result<Vec<u8>> {
    let password = job.password.expose().as_bytes();
    let done = || match &job.work {
        Work::Argon2 { recipe, salt } => arena.hash(recipe, password, salt),
        Work::Foreign(scheme) => Ok(if scheme.verifies(password)? { RIGHT.to_vec() } else { Vec::new() }),
    };
    catch_unwind(AssertUnwindSafe(done))
        .unwrap_or_else(|_| Err(Error::internal("hashing a password panicked")))
}

#[track_caller]
fn busy() -> Error {
    Error::temporarily_unavailable("too many sign-ins at once; try again in a moment").retry_after(1)
}

#[cfg(test)]
mod tests;
