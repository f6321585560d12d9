//! What the management API is asked by list, filter and search, of a tenant with few records and of the one that has most.

use std::fmt::Write;
use std::time::Instant;

use hyper::StatusCode;

use super::fill::Size;
use crate::Result;
use crate::bench::admin;
use crate::bench::http::{Call, Connection};
use crate::bench::load::percentile;
use crate::server::Server;

/// Requests of each kind to each tenant, after a tenth as many that do not count.
const TIMES: usize = 200;
/// What the tenant with most may take, times the tenant with few.
const WANTED: f64 = 1.5;

/// The paths; `{person}` and `{organization}` are numbers of records that the asked tenant has.
const QUERIES: [&str; 30] = [
    "/api/v1/tenant-users",
    "/api/v1/tenant-users?limit=200",
    "/api/v1/tenant-users?sort=-created_at",
    "/api/v1/tenant-users?status=active",
    "/api/v1/tenant-users?status=active&sort=-created_at",
    "/api/v1/tenant-users?status=suspended&limit=5",
    "/api/v1/tenant-users?status=invited",
    "/api/v1/tenant-users?subject_type=human",
    "/api/v1/tenant-users?subject_type=anonymous",
    "/api/v1/tenant-users?email={person}ada@demo.example",
    "/api/v1/tenant-users?username=ada{person}",
    "/api/v1/tenant-users?role=editor",
    "/api/v1/tenant-users?search=ada{person}",
    "/api/v1/tenant-users?search=ada",
    "/api/v1/tenant-users?fields=id,username",
    "/api/v1/organizations",
    "/api/v1/organizations?slug=org-{organization}",
    "/api/v1/organizations?search=organization {organization}",
    "/api/v1/organizations?search=organization",
    "/api/v1/organizations?sort=-name",
    "/api/v1/audit",
    "/api/v1/audit?action=role.created",
    "/api/v1/audit?action=role.*",
    "/api/v1/audit?actor=actor-7",
    "/api/v1/audit?actor=actor-7&action=role.*",
    "/api/v1/audit?target=target-7",
    "/api/v1/audit?outcome=denied",
    "/api/v1/audit?client_ip=192.0.2.7",
    "/api/v1/audit?q=TARGET-7",
    "/api/v1/audit?until=2200-01-01T00:00:00Z",
];

/// One query, and the times of its answers in milliseconds: of the tenant with few records, and of the one with most.
pub struct Asked {
    query: &'static str,
    p50: [f64; 2],
    p99: [f64; 2],
}

/// One of the two tenants as it is asked.
struct Tenant {
    authority: String,
    authorization: String,
    person: usize,
    organization: usize,
}

/// Asks both tenants in turn, so that a slow minute of the machine meets both.
pub fn ask(server: &Server, size: Size) -> Result<Vec<Asked>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut http = Connection::new(server.port, "localhost");
        let tenants = tenants(server, &mut http, size).await?;
        let mut asked = Vec::new();
        for query in QUERIES {
            asked.push(both(&mut http, query, &tenants).await?);
        }
        Ok(asked)
    })
}

/// The one with few records, which is the first copy of the demo, and the demo.
async fn tenants(server: &Server, http: &mut Connection, size: Size) -> Result<[Tenant; 2]> {
    let [few, most] = size.last_people();
    let authority = format!("demo-1.localhost:{}", server.port);
    http.turn_to(authority.clone());
    let authorization = admin::authorization(server, http, Some(1)).await?;
    let few = Tenant { authority, authorization, person: few, organization: size.few.organizations };
    let authority = format!("localhost:{}", server.port);
    http.turn_to(authority.clone());
    let authorization = admin::authorization(server, http, None).await?;
    Ok([few, Tenant { authority, authorization, person: most, organization: size.organizations }])
}

async fn both(http: &mut Connection, query: &'static str, tenants: &[Tenant; 2]) -> Result<Asked> {
    let mut times = [Vec::new(), Vec::new()];
    for turn in 0..TIMES + TIMES / 10 {
        for (tenant, times) in tenants.iter().zip(&mut times) {
            http.turn_to(tenant.authority.clone());
            let path = tenant.path(query);
            let call = Call { path: &path, authorization: Some(&tenant.authorization), ..Call::default() };
            let started = Instant::now();
            let reply = http.send(&call).await?;
            let time = started.elapsed();
            reply.expect(StatusCode::OK).map_err(|error| format!("{path}: {error}"))?;
            if turn >= TIMES / 10 {
                times.push(time);
            }
        }
    }
    for times in &mut times {
        times.sort_unstable();
    }
    let [few, most] = &times;
    let at = |share| [percentile(few, share), percentile(most, share)];
    Ok(Asked { query, p50: at(50), p99: at(99) })
}

impl Tenant {
    fn path(&self, query: &str) -> String {
        query
            .replace("{person}", &self.person.to_string())
            .replace("{organization}", &self.organization.to_string())
            .replace(' ', "%20")
    }
}

/// The table of one database.
pub fn markdown(name: &str, size: Size, asked: &[Asked]) -> String {
    let mut text = format!(
        "{name}: a tenant with {} people, {} organizations and {} entries, and the one that has the rest of {size}.\n\n\
         | query | p50 ms, few | p50 ms, most | × | p99 ms, few | p99 ms, most | at most × {WANTED} |\n\
         |---|--:|--:|--:|--:|--:|---|\n",
        size.few.people, size.few.organizations, size.few.audit
    );
    for Asked { query, p50: [few, most], p99: [slow_few, slow_most] } in asked {
        let ratio = most / few.max(1e-6);
        let is_met = if ratio <= WANTED { "met" } else { "not met" };
        let _ = writeln!(
            text,
            "| `{query}` | {few:.2} | {most:.2} | {ratio:.2} | {slow_few:.2} | {slow_most:.2} | {is_met} |"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_names_records_of_the_tenant_that_is_asked() {
        let tenant =
            Tenant { authority: String::new(), authorization: String::new(), person: 7, organization: 9 };
        assert_eq!(tenant.path("/a?search=ada{person}"), "/a?search=ada7");
        assert_eq!(tenant.path("/a?search=organization {organization}"), "/a?search=organization%209");
    }

    #[test]
    fn a_query_that_takes_half_as_long_again_of_the_larger_tenant_still_meets_the_aim() {
        let asked = [Asked { query: "/a", p50: [2.0, 3.0], p99: [4.0, 5.0] }];
        let text = markdown("svc", Size::SMALL, &asked);
        assert!(text.ends_with("| `/a` | 2.00 | 3.00 | 1.50 | 4.00 | 5.00 | met |\n"), "{text}");
    }
}
