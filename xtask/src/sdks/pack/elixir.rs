//! The package for Elixir: an archive of the files that `mix.exs` names, for projects that take it by its path. Hex, which others
//! make packages with, is no part of Elixir.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::archive::{self, Package};
use crate::{Result, process};

const FILES: &str = "Mix.Project.config()[:package][:files] |> Enum.join(\"\\n\") |> IO.puts()";

/// The package for Elixir.
pub const ELIXIR: Package = Package {
    language: "Elixir",
    folder: "elixir",
    contents: &[".formatter.exs", "lib/", "mix.exs"],
    make,
    unpack,
    build,
};

fn make(into: &Path, version: &str) -> Result<PathBuf> {
    fs::create_dir_all(into)?;
    let sources = archive::sources("elixir");
    let mut files = Command::new("mix");
    files.args(["run", "--no-compile", "--no-start", "-e", FILES]).current_dir(&sources);
    let files = process::output(&mut files)?;
    let archive = into.join(format!("svc-{version}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+w,go-w", "--mtime=@0"])
        .args(["--use-compress-program=gzip --no-name", &format!("--transform=s,^,svc-{version}/,"), "-cf"])
        .arg(&archive)
        .args(files.lines())
        .current_dir(&sources);
    process::run(&mut tar)?;
    Ok(archive)
}

fn unpack(archive: &Path, place: &Path, version: &str) -> Result<PathBuf> {
    process::run(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(place))?;
    Ok(place.join(format!("svc-{version}")))
}

fn build(archive: &Path, project: &Path, version: &str) -> Result<()> {
    unpack(archive, project, version)?;
    let mix = format!(
        "defmodule Fresh.MixProject do\n  use Mix.Project\n\n  def project do\n    \
         [app: :fresh, version: \"0.0.0\", deps: [{{:svc, path: \"svc-{version}\"}}]]\n  end\nend\n"
    );
    fs::write(project.join("mix.exs"), mix)?;
    fs::create_dir(project.join("lib"))?;
    // The page's code calls Plug, which Debian has no package of.
    for name in ["notes.ex", "plug_conn.ex"] {
        fs::copy(archive::sources("elixir").join("test/support").join(name), project.join("lib").join(name))?;
    }
    process::run(Command::new("mix").args(["compile", "--warnings-as-errors"]).current_dir(project))
}
