//! What cannot run here is read by the tools of those who run it: container file, chart, compose file and units.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{output, run};
use crate::steps::Steps;
use crate::{Result, launch, tools};

const HELM: (&str, &str) = ("helm.sh/helm/v3/cmd/helm", "v3.22.0");
/// The oldest release that the chart is for and that the schemas know, the first with sidecars, which has no pause yet, and a late one.
const KUBERNETES: [&str; 3] = ["1.27", "1.29", "1.37"];
/// Values that the chart is rendered with.
const VALUES: [&str; 2] = ["example.yaml", "planes.yaml"];

/// Each file by its tool; where that cannot be had, the step is skipped.
pub fn check(steps: &mut Steps) -> Result<()> {
    with_tools(steps, "packaging: container file", python, |python| container_file(python))?;
    let renderers = || Ok((installed_go().and_then(|()| tools::go_tool("helm", HELM.0, HELM.1))?, python()?));
    with_tools(steps, "packaging: chart", renderers, |(helm, python)| chart(helm, python))?;
    with_tools(steps, "packaging: compose file", linter, |linter| compose_file(linter))?;
    with_tools(steps, "packaging: units", || installed("systemd-analyze", "systemd"), |()| units())
}

fn with_tools<T>(
    steps: &mut Steps,
    name: &str,
    get: impl FnOnce() -> Result<T>,
    work: impl FnOnce(&T) -> Result<()>,
) -> Result<()> {
    if !steps.wants(name) {
        return Ok(());
    }
    match get() {
        Ok(tools) => steps.step(name, || work(&tools)),
        Err(error) => {
            steps.skip(name, &error.to_string());
            Ok(())
        }
    }
}

fn python() -> Result<PathBuf> {
    tools::python_in("packaging", &folder().join("requirements.txt"))
}

fn linter() -> Result<PathBuf> {
    installed("npm", "npm")?;
    tools::node_packages(&folder())?;
    Ok(folder().join("node_modules/.bin/dclint"))
}

fn installed_go() -> Result<()> {
    if tools::is_installed("go") { Ok(()) } else { Err(tools::NO_GO.into()) }
}

fn installed(program: &str, package: &str) -> Result<()> {
    if tools::is_installed(program) {
        return Ok(());
    }
    Err(format!("no {program} here; install the package {package}").into())
}

/// What the tools are installed from.
fn folder() -> PathBuf {
    launch::root().join("tests/packaging")
}

/// A program in the folder of a Python of ours.
fn beside(python: &Path, program: &str) -> Command {
    let mut command = Command::new(python.with_file_name(program));
    command.current_dir(launch::root().join("packaging"));
    command
}

fn container_file(python: &Path) -> Result<()> {
    run(beside(python, "hadolint").arg("Containerfile"))
}

/// The chart is sound, and what it renders is what Kubernetes knows.
fn chart(helm: &Path, python: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let helm = |arguments: &[&str]| {
        let mut command = Command::new(helm);
        command.current_dir(launch::root().join("packaging/helm")).args(arguments);
        command
    };
    for values in VALUES {
        run(&mut helm(&["lint", "--strict", "--quiet", "svc", "--values", values]))?;
        for version in KUBERNETES {
            let release = format!("{version}.0");
            let mut template =
                helm(&["template", "svc", "svc", "--kube-version", &release, "--values", values]);
            let rendered = folder.path().join(format!("{version}-{values}"));
            let text = output(&mut template)?;
            gives_rights(values, &text)?;
            has_what_values_bring(values, &text)?;
            asks_svc_kms(values, &text)?;
            std::fs::write(&rendered, text)?;
            let arguments = ["--strict", "--quiet", "-k", version];
            run(beside(python, "kubernetes-validate").args(arguments).arg(&rendered))?;
        }
    }
    refuses(&helm)
}

/// What the chart refuses in addition to the least that it needs, and a part of what it says: a secret in `config`, and a Redis of its own
/// next to one elsewhere.
const REFUSED: [(&str, &str); 2] =
    [("config.email.smtp.password=x", "is a secret"), ("redis.external=true", "set redis.enabled to false")];

fn refuses(helm: &impl Fn(&[&str]) -> Command) -> Result<()> {
    for (value, why) in REFUSED {
        let arguments = ["template", "svc", "svc", "--kube-version", "1.37.0", "--values", VALUES[0]];
        match output(helm(&arguments).args(["--set", value])) {
            Err(error) if error.to_string().contains(why) => {}
            other => return Err(format!("{value} was not refused: {other:?}").into()),
        }
    }
    Ok(())
}

/// Where planes have roles of their own, each pod gives them the rights of the version that it has migrated to.
fn gives_rights(values: &str, rendered: &str) -> Result<()> {
    let steps = rendered.lines().filter(|line| line.trim_start().starts_with("args: [--config="));
    let grants =
        steps.clone().zip(steps.skip(1)).filter(|(_, step)| step.contains(" db, grant, --prefix=svc]"));
    let follows: Vec<_> = grants.map(|(before, _)| before.contains("--migrate-only")).collect();
    let expected = if values == VALUES[1] { 3 } else { 0 };
    if follows == vec![true; expected] {
        return Ok(());
    }
    Err(format!("{values}: rights are to be given {expected} times after a migration, not {follows:?}")
        .into())
}

/// What values bring, and how often it is rendered with each file: what connects to the database sees the authority that is named, its
/// migration included; with a Redis elsewhere none is started, and one that is has a password; the service of each plane sees further files and
/// runs where they say; peers are let through to all at once.
const BROUGHT: &[(&str, [usize; 2])] = &[
    ("mountPath: /etc/svc/authority", [0, 9]),
    ("ca_pem_path = \"/etc/svc/authority/ca.crt\"", [0, 1]),
    ("coordination_backend = \"redis\"", [1, 1]),
    ("name: SVC_REDIS__URL", [6, 9]),
    ("args: [redis-server, --requirepass, $(REDIS_PASSWORD), ", [1, 0]),
    ("image: redis:", [1, 0]),
    ("mountPath: /srv/svc", [0, 3]),
    ("claimName: svc-files", [0, 3]),
    ("whenUnsatisfiable: ScheduleAnyway", [3, 3]),
    ("whenUnsatisfiable: DoNotSchedule", [0, 3]),
    ("nodeAffinity:", [0, 3]),
    ("pool: identity", [0, 3]),
    ("key: pool", [0, 3]),
    ("name: svc-planes", [0, 1]),
    ("kubernetes.io/metadata.name: ingress-nginx", [0, 1]),
    ("kind: PodDisruptionBudget", [1, 1]),
];

fn has_what_values_bring(values: &str, rendered: &str) -> Result<()> {
    for (text, times) in BROUGHT {
        let expected = if values == VALUES[1] { times[1] } else { times[0] };
        let found = rendered.matches(text).count();
        if found != expected {
            return Err(format!("{values}: `{text}` is to be rendered {expected} times, not {found}").into());
        }
    }
    Ok(())
}

/// Each of the three planes has an `svc-kms`, which is asked whether it has begun, and from then on whether it hangs.
fn asks_svc_kms(values: &str, rendered: &str) -> Result<()> {
    let asked = |probe: &str| {
        let heading = format!("{probe}:\n");
        let probes = rendered.split(heading.as_str()).skip(1);
        probes
            .filter(|rest| rest.lines().take(3).any(|line| line.contains("[/usr/bin/svc-kms, health, ")))
            .count()
    };
    match [asked("startupProbe"), asked("livenessProbe")] {
        [3, 3] => Ok(()),
        counted => {
            Err(format!("{values}: svc-kms is to be asked three times by either probe, not {counted:?}")
                .into())
        }
    }
}

fn compose_file(linter: &Path) -> Result<()> {
    let mut lint = Command::new(linter);
    lint.args(["--config", "dclint.yaml", "--max-warnings", "0", "--quiet"]);
    run(lint.arg(launch::root().join("packaging/compose/compose.yaml")).current_dir(folder()))
}

/// An unknown key is a warning for systemd; here every word is a failure. The programs need not be installed. What the guide adds to a unit
/// is read with it.
fn units() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut verify = Command::new("sh");
    verify.args(["-c", "systemd-analyze verify --man=no \"$@\" 2>&1", "sh"]);
    let without_programs = |text: &str| {
        text.replace("/usr/bin/svc-runtime", "/bin/true").replace("/usr/bin/svc-kms", "/bin/true")
    };
    for unit in ["svc.service", "svc-kms.service"] {
        let text = std::fs::read_to_string(launch::root().join("packaging/systemd").join(unit))?;
        let copy = folder.path().join(unit);
        std::fs::write(&copy, without_programs(&text))?;
        verify.arg(copy);
    }
    let additions = folder.path().join("svc-kms.service.d");
    std::fs::create_dir(&additions)?;
    std::fs::write(additions.join("guide.conf"), without_programs(&added_by_the_guide()?))?;
    let said = output(&mut verify)?;
    if said.is_empty() { Ok(()) } else { Err(format!("systemd has something to say:\n{said}").into()) }
}

/// The lines by which the passphrase of `svc-kms` becomes a credential.
fn added_by_the_guide() -> Result<String> {
    let guide = std::fs::read_to_string(launch::root().join("docs/how-to/key-management.md"))?;
    let block = guide.split("```ini\n").nth(1).and_then(|rest| rest.split("```").next());
    Ok(block.ok_or("the guide has no lines for a unit")?.to_owned())
}
