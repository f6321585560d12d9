//! A module of a tenant that runs in this process: without imports, so without clock, network or files, and within bounds
//! (WebAssembly Core Specification 2.0).
//!
//! It exports `memory`, `allocate(length) -> at`, which makes room for the question, and `decide(at, length) -> i64`, whose upper half is
//! where the answer is and whose lower half is how long it is.

use std::fmt::Display;

use wasmi::{
    Config, EnforcedLimits, Engine, Extern, ExternType, FuncType, Instance, Linker, Module, Store,
    StoreLimits, StoreLimitsBuilder, TypedFunc, TypedResumableCall, ValType, WasmParams, WasmResults,
};

use super::MOST_ANSWER;

/// Fuel between two looks at the time: some milliseconds.
const SLICE: u64 = 1_000_000;
/// Entries of its tables; a table is for calls of functions by number.
const TABLE_ENTRIES: usize = 10_000;

/// What each module begins with (WebAssembly Core Specification 2.0 §5.5.16).
const MAGIC: &[u8] = b"\0asm";

/// What a run may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Fuel: about one for an instruction.
    pub fuel: u64,
    /// Bytes of memory.
    pub memory: usize,
}

/// A module that was read, and found to be one of a hook.
pub struct Program {
    // An engine keeps the code of its modules as long as it lives: each has its own.
    engine: Engine,
    module: Module,
}

impl Program {
    /// Reads a module, or says what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        // What the reader says of other bytes lists them, line by line.
        if !bytes.starts_with(MAGIC) {
            let expected = "no WebAssembly module: expected the bytes 00 61 73 6d at its beginning; \
                            send what the compiler made, in base64";
            return Err(expected.to_owned());
        }
        let engine = Engine::new(&config());
        let module =
            Module::new(&engine, bytes).map_err(|error| format!("no WebAssembly module: {error}"))?;
        if let Some(import) = module.imports().next() {
            let (from, name) = (import.module(), import.name());
            return Err(format!("it imports {from}.{name}; a hook has no imports"));
        }
        let program = Self { engine, module };
        program.check_exports()?;
        Ok(program)
    }

    fn check_exports(&self) -> Result<(), String> {
        let export = |name| self.module.get_export(name);
        if export("memory").is_none_or(|export| export.memory().is_none()) {
            return Err("it exports no memory of the name `memory`".to_owned());
        }
        let expected = [
            ("allocate", FuncType::new([ValType::I32], [ValType::I32])),
            ("decide", FuncType::new([ValType::I32; 2], [ValType::I64])),
        ];
        for (name, kind) in expected {
            if export(name).as_ref().and_then(ExternType::func) != Some(&kind) {
                let (takes, gives) = (kind.params(), kind.results());
                return Err(format!(
                    "it exports no function `{name}` that takes {takes:?} and gives {gives:?}"
                ));
            }
        }
        Ok(())
    }

    /// Asks a new instance; stops where `is_over` says so.
    pub fn run(
        &self,
        question: &[u8],
        bounds: Bounds,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, String> {
        let mut run = Run { store: self.store(bounds)?, left: bounds.fuel.saturating_sub(SLICE), is_over };
        let instance =
            Linker::new(&self.engine).instantiate_and_start(&mut run.store, &self.module).map_err(stopped)?;
        let allocate = function::<u32, u32>(instance, &run.store, "allocate")?;
        let decide = function::<(u32, u32), u64>(instance, &run.store, "decide")?;
        let Some(Extern::Memory(memory)) = instance.get_export(&run.store, "memory") else {
            return Err("it exports no memory of the name `memory`".to_owned());
        };
        let length = u32::try_from(question.len()).map_err(|_| "the question is too long".to_owned())?;
        let at = run.call(allocate, length)?;
        memory.write(&mut run.store, at as usize, question).map_err(|_| outside("allocate"))?;
        let packed = run.call(decide, (at, length))?;
        let half = |half: u64| usize::try_from(half).map_err(|_| outside("decide"));
        let (at, length) = (half(packed >> 32)?, half(packed & u64::from(u32::MAX))?);
        if length > MOST_ANSWER {
            return Err(format!("the answer has more than {MOST_ANSWER} bytes"));
        }
        let mut answer = vec![0; length];
        memory.read(&run.store, at, &mut answer).map_err(|_| outside("decide"))?;
        Ok(answer)
    }

    fn store(&self, bounds: Bounds) -> Result<Store<StoreLimits>, String> {
        let limits = StoreLimitsBuilder::new()
            .memory_size(bounds.memory)
            .table_elements(TABLE_ENTRIES)
            .instances(1)
            .trap_on_grow_failure(true)
            .build();
        let mut store = Store::new(&self.engine, limits);
        store.limiter(|limits| limits);
        store.set_fuel(SLICE.min(bounds.fuel)).map_err(stopped)?;
        Ok(store)
    }
}

fn config() -> Config {
    let mut config = Config::default();
    config.consume_fuel(true).enforced_limits(EnforcedLimits::strict());
    config.wasm_multi_memory(false).wasm_memory64(false).wasm_custom_page_sizes(false);
    config
}

/// An instance at work, and the fuel that it has left in addition to what its store holds.
struct Run<'a> {
    store: Store<StoreLimits>,
    left: u64,
    is_over: &'a dyn Fn() -> bool,
}

impl Run<'_> {
    fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        function: TypedFunc<P, R>,
        parameters: P,
    ) -> Result<R, String> {
        let mut call = function.call_resumable(&mut self.store, parameters).map_err(stopped)?;
        loop {
            let paused = match call {
                TypedResumableCall::Finished(result) => return Ok(result),
                TypedResumableCall::OutOfFuel(paused) => paused,
                // There is no host to call.
                TypedResumableCall::HostTrap(trap) => {
                    return Err(format!("it stopped: {}", trap.host_error()));
                }
            };
            if (self.is_over)() {
                return Err("there was no whole answer in time".to_owned());
            }
            let wanted = paused.required_fuel().max(SLICE.min(self.left));
            self.left = self.left.checked_sub(wanted).ok_or_else(|| "it used all of its fuel".to_owned())?;
            self.store.set_fuel(wanted).map_err(stopped)?;
            call = paused.resume(&mut self.store).map_err(stopped)?;
        }
    }
}

fn function<P: WasmParams, R: WasmResults>(
    instance: Instance,
    store: &Store<StoreLimits>,
    name: &str,
) -> Result<TypedFunc<P, R>, String> {
    instance.get_typed_func(store, name).map_err(|error| format!("`{name}`: {error}"))
}

fn stopped(error: impl Display) -> String {
    format!("it stopped: {error}")
}

fn outside(function: &str) -> String {
    format!("`{function}` returned a place outside of the memory")
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const BOUNDS: Bounds = Bounds { fuel: 50 * SLICE, memory: 4 << 20 };

    /// A module whose `decide` does this.
    fn module(decide: &str) -> Vec<u8> {
        let text = format!(
            r#"(module (memory (export "memory") 2) (data (i32.const 1024) "yes")
            (func (export "allocate") (param i32) (result i32) (i32.const 65536))
            (func (export "decide") (param $at i32) (param $length i32) (result i64) {decide}))"#
        );
        wat::parse_str(text).unwrap()
    }

    fn run(decide: &str) -> Result<Vec<u8>, String> {
        Program::read(&module(decide)).unwrap().run(b"question", BOUNDS, &|| false)
    }

    fn place(at: u64, length: u64) -> String {
        format!("(i64.const {})", at << 32 | length)
    }

    #[test]
    fn a_module_answers_with_what_is_where_it_says() {
        assert_eq!(run(&place(1024, 3)), Ok(b"yes".to_vec()));
        assert_eq!(run(&place(65_536, 8)), Ok(b"question".to_vec()));
        assert_eq!(run(&place(0, 0)), Ok(Vec::new()));
    }

    #[test]
    fn every_run_has_a_memory_of_its_own() {
        let counting = "(i32.store8 (i32.const 1024) (i32.add (i32.load8_u (i32.const 1024)) (i32.const 1)))";
        let program = Program::read(&module(&format!("{counting} {}", place(1024, 3)))).unwrap();
        for _ in 0..2 {
            assert_eq!(program.run(b"question", BOUNDS, &|| false), Ok(b"zes".to_vec()));
        }
    }

    #[test]
    fn a_module_that_does_not_end_runs_out_of_fuel_and_is_asked_whether_time_is_over() {
        let endless = "(loop (br 0)) (unreachable)";
        assert_eq!(run(endless), Err("it used all of its fuel".to_owned()));
        let looks = Cell::new(0);
        let is_over = || {
            looks.set(looks.get() + 1);
            looks.get() == 3
        };
        let program = Program::read(&module(endless)).unwrap();
        let stopped = program.run(b"question", BOUNDS, &is_over);
        assert_eq!((stopped, looks.get()), (Err("there was no whole answer in time".to_owned()), 3));
        let little = Bounds { fuel: 10, ..BOUNDS };
        assert_eq!(program.run(b"question", little, &|| false), Err("it used all of its fuel".to_owned()));
    }

    #[test]
    fn what_a_module_takes_is_bounded() {
        let growing = "(loop (br_if 0 (i32.ne (memory.grow (i32.const 16)) (i32.const -1)))) (unreachable)";
        assert!(run(growing).unwrap_err().starts_with("it stopped: "));
        let deep = Program::read(
            &wat::parse_str(
                r#"(module (memory (export "memory") 2) (func $down (call $down))
                (func (export "allocate") (param i32) (result i32) (call $down) (i32.const 0))
                (func (export "decide") (param i32 i32) (result i64) (i64.const 0)))"#,
            )
            .unwrap(),
        );
        assert!(deep.unwrap().run(b"question", BOUNDS, &|| false).unwrap_err().starts_with("it stopped: "));
        let large = r#"(module (memory (export "memory") 1000)
            (func (export "allocate") (param i32) (result i32) (i32.const 0))
            (func (export "decide") (param i32 i32) (result i64) (i64.const 0)))"#;
        let large = Program::read(&wat::parse_str(large).unwrap()).unwrap();
        assert!(large.run(b"question", BOUNDS, &|| false).unwrap_err().starts_with("it stopped: "));
    }

    #[test]
    fn a_place_outside_of_the_memory_is_a_fault() {
        for (at, length) in [(131_071, 2), (u64::from(u32::MAX), 1), (1024, MOST_ANSWER as u64 + 1)] {
            assert!(run(&place(at, length)).is_err(), "{at} {length}");
        }
        assert!(run("(unreachable)").unwrap_err().starts_with("it stopped: "));
    }

    #[test]
    fn what_is_no_module_of_a_hook_is_refused_with_what_is_missing() {
        for (text, missing) in [
            ("(module)", "`memory`"),
            (r#"(module (memory (export "memory") 1))"#, "`allocate`"),
            (
                r#"(module (memory (export "memory") 1) (func (export "allocate") (param i32) (result i32) (i32.const 0)))"#,
                "`decide`",
            ),
            (r#"(module (func (export "memory")))"#, "`memory`"),
            (
                r#"(module (import "wasi_snapshot_preview1" "fd_write" (func)))"#,
                "wasi_snapshot_preview1.fd_write",
            ),
        ] {
            let fault = Program::read(&wat::parse_str(text).unwrap()).err().unwrap();
            assert!(fault.contains(missing), "{text}: {fault}");
        }
        for bytes in [&b""[..], b"{}", b"\0asm\x01\0\0", b"\0asm\x01\0\0\0\xff"] {
            let fault = Program::read(bytes).err().unwrap();
            assert!(
                fault.starts_with("no WebAssembly module") && !fault.contains('\n'),
                "{bytes:?}: {fault}"
            );
        }
        let other = r#"(module (memory (export "memory") 1) (func (export "allocate") (result i32) (i32.const 0))
            (func (export "decide") (param i32 i32) (result i64) (i64.const 0)))"#;
        assert!(Program::read(&wat::parse_str(other).unwrap()).err().unwrap().contains("`allocate`"));
    }
}
