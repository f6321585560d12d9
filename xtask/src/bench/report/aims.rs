//! What the measurements are held against: floors and peers of the same run, and targets per CPU second.

use super::{Crowded, Report, Row};
use crate::bench::workload::Workload;

/// Operations per CPU second of server and database together that are wanted at least, where a target says so. What is wanted of
/// introspection is wanted of tokens that are seen once: `bench --large` holds it against that.
const PER_CPU_SECOND: [(Workload, f64); 4] = [
    (Workload::UserInfoBound, 4_000.0),
    (Workload::Decision, 20_000.0),
    // Given for both cores of a machine of two.
    (Workload::DevicePolling, 7_500.0),
    (Workload::Fapi2, 600.0),
];
/// The same as a multiple of what the peer does.
const TIMES_PEER: [(Workload, f64); 6] = [
    (Workload::ClientCredentials, 10.0),
    (Workload::UserInfo, 4.0),
    (Workload::UserInfoBound, 3.5),
    (Workload::Refresh, 3.5),
    (Workload::CodeWithSession, 2.2),
    (Workload::Fapi2, 2.0),
];
/// Operations per second.
const PER_SECOND: [(Workload, f64); 1] = [(Workload::ScimCreate, 2_500.0)];
/// The same on the embedded database, whose every commit waits for the disk.
const ON_SQLITE: [(Workload, f64); 2] = [(Workload::Refresh, 4_000.0), (Workload::TokenExchange, 2_000.0)];
/// CPU seconds of a thousand operations, on PostgreSQL.
const CPU_ON_POSTGRES: [(Workload, f64); 1] = [(Workload::DevicePolling, 0.10)];
/// The same on both: all of a page, of which the first byte is a part.
const CPU_OF_PAGES: [(Workload, f64); 2] = [(Workload::SignInPage, 5.0), (Workload::AccountPage, 5.0)];

impl Report {
    /// The table of what was aimed at.
    pub(super) fn aims(&self) -> String {
        let ours = || self.rows.iter().filter(|row| row.subject.starts_with("svc"));
        let lines: String = ours()
            .flat_map(|row| match row.workload {
                Workload::ClientCredentials => self.of_client_credentials(row),
                Workload::Refresh => self.of_refresh(row),
                Workload::Fapi2 => self.of_fapi2(row),
                Workload::DevicePolling => self.of_polling(row),
                Workload::CodeWithPassword => self.of_passwords(row),
                _ => Vec::new(),
            })
            .chain(ours().filter_map(|row| self.times_peer(row)))
            .chain(ours().flat_map(beside_targets))
            .chain(self.crowded.iter().map(of_crowd))
            .chain(self.of_starts())
            .collect();
        format!("| aim | measured | wanted | |\n|---|--:|---|---|\n{lines}\n")
    }

    fn times_peer(&self, row: &Row) -> Option<String> {
        let (_, wanted) = TIMES_PEER.iter().find(|(workload, _)| *workload == row.workload)?;
        let ratio = self.beside_peer(row)?;
        let what = format!(
            "{}: {} per CPU second, database included, times the peer's",
            row.subject,
            row.workload.name()
        );
        Some(aim(&what, ratio, &format!("at least {wanted}"), ratio >= *wanted))
    }

    fn of_client_credentials(&self, row: &Row) -> Vec<String> {
        let beside_floor = self.floor.as_ref().map(|floor| {
            let ratio = row.run.cpu.server / floor.run.cpu.server.max(1e-6);
            let what =
                format!("{}: CPU of client_credentials, times one signature and an empty reply", row.subject);
            aim(&what, ratio, "at most 1.4", ratio <= 1.4)
        });
        beside_floor.into_iter().collect()
    }

    /// The hash by itself, and the rest of a sign-in compared with the rest of the peer's.
    fn of_passwords(&self, row: &Row) -> Vec<String> {
        let Some(hash) = self.hash else { return Vec::new() };
        let cpu = row.run.cpu;
        let beside_c = cpu.hashing / hash.c.max(1e-6);
        let what = format!("{}: CPU of a password hash, times the vectorized C code's", row.subject);
        let ours = aim(&what, beside_c, "at most 1.15", beside_c <= 1.15);
        let peer = self
            .rows
            .iter()
            .find(|other| other.workload == row.workload && other.subject.starts_with("oidc-provider"));
        let rest = peer.map(|peer| {
            let ratio =
                (peer.run.cpu.server - hash.peer) / (cpu.server + cpu.database - cpu.hashing).max(1e-6);
            let what = format!(
                "{}: password flows per CPU second, both without the hash, times the peer's",
                row.subject
            );
            aim(&what, ratio, "at least 1.3", ratio >= 1.3)
        });
        std::iter::once(ours).chain(rest).collect()
    }

    fn of_refresh(&self, row: &Row) -> Vec<String> {
        let commits = self.commits.iter().filter(|_| row.subject.contains("PostgreSQL"));
        let beside_commit = commits.map(|commits| {
            let what = format!(
                "{}: rotations per bare one-row commit ({:.0}/s with {} clients)",
                row.subject, commits.rate, commits.clients
            );
            let ratio = row.run.rate / commits.rate;
            aim(&what, ratio, "at least 0.45", ratio >= 0.45)
        });
        beside_commit.collect()
    }

    fn of_fapi2(&self, row: &Row) -> Vec<String> {
        let ratio = self.bare.map(|bare| {
            let flow = row.run.cpu.server / 1000.0;
            fact(
                &format!("{}: CPU of a fapi2 flow, times that of its bare signatures", row.subject),
                flow / bare.of(&Workload::FAPI2_SIGNATURES).max(1e-9),
            )
        });
        ratio.into_iter().collect()
    }

    fn of_polling(&self, row: &Row) -> Vec<String> {
        let pending = self.pending.iter().filter(|pending| pending.subject == row.subject);
        // A run in which something was written does not count, and never gets here.
        let written =
            aim(&format!("{}: writes while pending codes were polled", row.subject), 0.0, "none", true);
        let memory = pending.map(|pending| {
            let what = format!(
                "{}: resident bytes for each of {} pending device codes, at most",
                row.subject, pending.size
            );
            fact(&what, pending.bytes)
        });
        std::iter::once(written).chain(memory).collect()
    }

    fn of_starts(&self) -> impl Iterator<Item = String> {
        let ours = self.start_ups.iter().filter(|start| start.name.starts_with("svc"));
        ours.flat_map(|start| {
            let memory = format!("{}: idle memory, MiB", start.name);
            let time = format!("{}: start to first answer, ms", start.name);
            let connection = format!("{}: idle connection, resident KiB", start.name);
            let milliseconds = start.median.as_secs_f64() * 1000.0;
            [
                aim(&memory, start.idle, "under 40", start.idle < 40.0),
                aim(&time, milliseconds, "under 300", milliseconds < 300.0),
                aim(&connection, start.connection, "at most 12", start.connection <= 12.0),
            ]
        })
    }
}

/// What a workload is held against by itself.
fn beside_targets(row: &Row) -> Vec<String> {
    let of = |aims: &[(Workload, f64)]| {
        aims.iter().find(|(workload, _)| *workload == row.workload).map(|(_, wanted)| *wanted)
    };
    let (subject, name) = (&row.subject, row.workload.name());
    let cpu = row.run.cpu.server + row.run.cpu.database;
    let per_cpu_second = of(&PER_CPU_SECOND).map(|wanted| {
        let what = format!("{subject}: {name} per CPU second, database included");
        let rate = row.per_cpu_second();
        aim(&what, rate, &format!("at least {wanted}"), rate >= wanted)
    });
    let on_sqlite = of(&ON_SQLITE).filter(|_| subject.contains("SQLite"));
    let per_second = of(&PER_SECOND).or(on_sqlite).map(|wanted| {
        let what = format!("{subject}: {name} per second");
        aim(&what, row.run.rate, &format!("at least {wanted}"), row.run.rate >= wanted)
    });
    let on_postgres = of(&CPU_ON_POSTGRES).filter(|_| subject.contains("PostgreSQL"));
    let milliseconds = of(&CPU_OF_PAGES).or(on_postgres).map(|wanted| {
        aim(&format!("{subject}: CPU ms of {name}"), cpu, &format!("at most {wanted}"), cpu <= wanted)
    });
    [per_cpu_second, per_second, milliseconds].into_iter().flatten().collect()
}

fn of_crowd(crowded: &Crowded) -> String {
    let ratio = crowded.among_sign_ins / crowded.alone.max(1e-6);
    let what = format!(
        "{}: p99 of client_credentials while sign-ins are saturated ({:.2} ms), times alone ({:.2} ms)",
        crowded.subject, crowded.among_sign_ins, crowded.alone
    );
    aim(&what, ratio, "at most 2", ratio <= 2.0)
}

fn aim(what: &str, measured: f64, wanted: &str, is_met: bool) -> String {
    format!("| {what} | {measured:.2} | {wanted} | {} |\n", if is_met { "met" } else { "not met" })
}

/// Something that is worth knowing and has no target.
fn fact(what: &str, measured: f64) -> String {
    format!("| {what} | {measured:.2} | – | |\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::floor::Bare;
    use crate::bench::load::Run;
    use crate::bench::meter::Cpu;
    use crate::bench::report::{Commits, PendingMemory};

    fn row(workload: Workload, subject: &str, cpu: f64) -> Row {
        let cpu = Cpu { server: cpu, ..Cpu::default() };
        let run = Run { rate: 100.0, p50: 1.0, p99: 2.0, cpu, resident: 20.0 };
        Row::new(workload, subject, vec![run]).unwrap()
    }

    #[test]
    fn a_ratio_compares_operations_per_cpu_second_with_the_peer() {
        let mut report = Report::new(false);
        report.add(row(Workload::ClientCredentials, "svc, SQLite", 0.05));
        report.add(row(Workload::ClientCredentials, "oidc-provider, memory", 0.5));
        let ours = report.rows.first().unwrap();
        assert!((report.beside_peer(ours).unwrap() - 10.0).abs() < 1e-9);
        assert!(report.aims().contains("| 10.00 | at least 10 | met |"), "{}", report.aims());
    }

    #[test]
    fn a_rotation_is_held_against_a_bare_commit_on_postgresql_alone() {
        let mut report = Report::new(false);
        report.add(row(Workload::Refresh, "svc, SQLite", 0.5));
        report.add(row(Workload::Refresh, "svc, PostgreSQL", 0.5));
        report.commits.push(Commits { clients: 8, rate: 400.0 });
        let line = "| svc, PostgreSQL: rotations per bare one-row commit (400/s with 8 clients) | 0.25 | at least 0.45 | not met |";
        assert!(report.aims().contains(line), "{}", report.aims());
        assert!(!report.aims().contains("svc, SQLite: rotations"), "{}", report.aims());
    }

    #[test]
    fn a_fapi2_flow_is_held_against_its_signatures_and_its_target() {
        let mut report = Report::new(false);
        report.add(row(Workload::Fapi2, "svc, SQLite", 1.0));
        report.bare = Some(Bare { sign: 0.000_020, verify: 0.000_040 });
        let aims = report.aims();
        assert!(
            aims.contains(
                "| svc, SQLite: CPU of a fapi2 flow, times that of its bare signatures | 5.00 | – | |"
            ),
            "{aims}"
        );
        assert!(aims.contains("| 1000.00 | at least 600 | met |"), "{aims}");
        let signatures = "makes 2 ES256 signatures (access token, ID token) and verifies 4";
        assert!(report.markdown().contains(signatures), "{}", report.markdown());
    }

    #[test]
    fn a_page_is_held_against_five_milliseconds_on_both_engines() {
        let mut report = Report::new(false);
        report.add(row(Workload::SignInPage, "svc, SQLite", 0.5));
        report.add(row(Workload::SignInPage, "oidc-provider, memory", 0.5));
        report.add(row(Workload::AccountPage, "svc, PostgreSQL", 6.0));
        let aims = report.aims();
        assert!(aims.contains("| svc, SQLite: CPU ms of sign-in page | 0.50 | at most 5 | met |"), "{aims}");
        assert!(
            aims.contains("| svc, PostgreSQL: CPU ms of account page | 6.00 | at most 5 | not met |"),
            "{aims}"
        );
        assert!(!aims.contains("oidc-provider, memory: CPU ms"), "{aims}");
    }

    #[test]
    fn polling_tells_that_nothing_was_written_and_what_a_code_costs() {
        let mut report = Report::new(false);
        report.add(row(Workload::DevicePolling, "svc, SQLite", 0.2));
        report.pending.push(PendingMemory { subject: "svc, SQLite".to_owned(), size: 10_000, bytes: 200.0 });
        let aims = report.aims();
        assert!(
            aims.contains("| svc, SQLite: writes while pending codes were polled | 0.00 | none | met |"),
            "{aims}"
        );
        assert!(aims.contains("for each of 10000 pending device codes, at most | 200.00 | – | |"), "{aims}");
        assert!(aims.contains("| 5000.00 | at least 7500 | not met |"), "{aims}");
    }
}
