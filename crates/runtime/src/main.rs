//! The service binary; everything is in the library, so that tests compose the same service.

fn main() -> std::process::ExitCode {
    svc_runtime::run()
}
