//! The key-management process; everything is in the library.

fn main() -> std::process::ExitCode {
    svc_kms::run()
}
