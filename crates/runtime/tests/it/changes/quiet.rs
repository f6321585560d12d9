//! Every write that leaves no audit entry, with its reason: a new one shows here.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::statements::statements;
use crate::workspace::code;

/// Reason, files, and how many statements of a file.
const QUIET: &str = "
a request that is not decided yet
    domain/src/grants/par.rs                            1
a step whose outcome is recorded
    domain/src/people/links.rs                          1
a use, whose outcome is recorded
    domain/src/people/credentials/changing.rs           2
all codes are recorded together
    domain/src/people/credentials/changing.rs           1
comes with the tenant, whose import is recorded
    domain/src/archive/bringing.rs                      2
    domain/src/archive/import.rs                        3
coordination of nodes is no tenant's business
    db/src/coordination/batch.rs                        1
    db/src/coordination/database.rs                     4
    domain/src/coordination/clock.rs                    1
    domain/src/coordination/processes.rs                3
counts
    domain/src/policies/decisions.rs                    1
counts guesses
    domain/src/coordination/attempts.rs                 4
counts polls
    domain/src/grants/polled.rs                         2
counts sign-ins, each of which is recorded
    domain/src/people/fields/asks.rs                    1
counts uses; the registration is recorded
    domain/src/apps/registrations.rs                    1
counts what is recorded by itself
    domain/src/tenancy/quotas.rs                        1
delivers what was recorded
    domain/src/delivery/audit_streams/batch.rs          3
    domain/src/delivery/audit_streams/health.rs         3
    domain/src/delivery/audit_streams/notice.rs         1
    domain/src/delivery/earlier.rs                      3
    domain/src/delivery/queue.rs                        4
    domain/src/delivery/scim_targets/health.rs          5
    domain/src/delivery/scim_targets/look.rs            1
    domain/src/delivery/scim_targets/notice.rs          1
    domain/src/delivery/scim_targets/outcomes.rs        6
    domain/src/delivery/scim_targets/queueing.rs        1
    domain/src/delivery/scim_targets/settling.rs        1
    domain/src/delivery/signals/causes.rs               5
    domain/src/delivery/signals/fan_out.rs              2
    domain/src/delivery/webhooks/fan_out.rs             1
    domain/src/delivery/webhooks/health.rs              7
    domain/src/delivery/webhooks/notice.rs              1
    domain/src/delivery/worker.rs                       7
expired
    domain/src/delivery/webhooks/history.rs             1
    domain/src/log/chain/retention.rs                   2
    domain/src/sweep.rs                                34
follows from changes, which are recorded
    domain/src/delivery/scim_targets/fan_out.rs         3
    domain/src/delivery/scim_targets/marks.rs          10
follows from the confirmation, which is recorded
    domain/src/people/guardians/answers.rs              1
follows from what the owner says, which is recorded
    domain/src/people/login_history/mod.rs              1
follows the configuration
    domain/src/keys/stored_keys.rs                      1
gives way to the browser that follows, which is recorded
    domain/src/people/guardians/browsers.rs             1
gives way to the invitation that follows, which is recorded
    domain/src/organizations/invitations.rs             1
    domain/src/people/guardians/invitations.rs          1
goes with its receiver, whose change is recorded
    domain/src/delivery/queue.rs                        1
goes with the API, whose end is recorded
    domain/src/apis/store.rs                            2
goes with the account, whose creation is recorded
    domain/src/people/accounts.rs                       1
goes with the application, whose change is recorded
    domain/src/apps/store.rs                            2
goes with the applications, whose end is recorded
    domain/src/apps/registrations.rs                    1
goes with the change of the address, which is recorded
    domain/src/people/address_changes.rs                1
goes with the connector, whose change is recorded
    domain/src/federation/connectors/store.rs           1
goes with the consent, which is recorded
    domain/src/grants/consents.rs                       1
goes with the consent, whose end is recorded
    domain/src/grants/consents.rs                       1
goes with the credential, whose end is recorded
    domain/src/people/accounts.rs                       1
goes with the group, whose change is recorded
    domain/src/people/groups/members.rs                 1
    domain/src/people/groups/store.rs                   3
    domain/src/scim/groups/members.rs                   2
    domain/src/scim/groups/roles.rs                     2
goes with the guest, who is recorded as known
    domain/src/people/guests.rs                         1
goes with the hook, whose change is recorded
    domain/src/hooks/store.rs                           1
goes with the key that follows, which is recorded
    domain/src/keys/stored_keys.rs                      2
goes with the last membership, whose end is recorded
    domain/src/people/leaving.rs                        2
goes with the member, whose change is recorded
    domain/src/organizations/members.rs                 2
goes with the member, whose end is recorded
    domain/src/organizations/members.rs                 1
goes with the membership or the new password, which is recorded
    domain/src/people/accounts.rs                       1
goes with the membership, which is recorded
    domain/src/people/imports/kept.rs                   1
goes with the membership, whose end is recorded
    domain/src/apis/roles/store.rs                      1
    domain/src/people/accounts.rs                       1
    domain/src/people/guardians/mod.rs                  3
    domain/src/people/leaving.rs                        3
    domain/src/people/login_history/mod.rs              1
    domain/src/people/tenant_users/changing.rs          3
goes with the memberships, whose change is recorded
    domain/src/people/imports/kept.rs                   1
    domain/src/people/imports/progress.rs               2
    domain/src/people/standing.rs                       3
goes with the organization, whose change is recorded
    domain/src/organizations/looks.rs                   1
goes with the organization, whose end is recorded
    domain/src/organizations/store.rs                   1
goes with the person, whose change is recorded
    domain/src/scim/schemas/values.rs                   2
    domain/src/scim/users/changing.rs                   3
goes with the plan, whose change is recorded
    domain/src/tenancy/plans.rs                         1
goes with the policy, whose change is recorded
    domain/src/policies/store.rs                        2
    domain/src/policies/versions.rs                     1
goes with the record, whose change is recorded
    domain/src/people/intake/mod.rs                     1
goes with the schema, whose change is recorded
    domain/src/scim/schemas/values.rs                   1
goes with the session that takes its place
    domain/src/grants/ending.rs                         4
    domain/src/people/sessions/ending.rs                1
goes with the session, whose beginning is recorded
    domain/src/federation/connectors/vouched.rs         1
    domain/src/federation/sso/identities.rs             1
goes with the signing keys, whose end is recorded
    domain/src/people/restored.rs                       1
goes with the stream, whose change is recorded
    domain/src/delivery/audit_streams/store.rs          1
goes with the subscription, whose change is recorded
    domain/src/delivery/webhooks/health.rs              4
    domain/src/delivery/webhooks/subscriptions.rs       2
goes with the target, whose change is recorded
    domain/src/delivery/scim_targets/deactivation.rs    3
    domain/src/delivery/scim_targets/people.rs          2
    domain/src/delivery/scim_targets/store.rs           1
goes with the tenant's keys, whose end is recorded
    domain/src/people/standing.rs                       3
goes with the tenant's settings, whose change is recorded
    domain/src/keys/stored_keys.rs                      1
goes with the tenant, whose end is recorded
    domain/src/deletion.rs                              4
holds a row
    domain/src/apps/registrations.rs                    1
    domain/src/delivery/logouts.rs                      1
    domain/src/delivery/scim_targets/fan_out.rs         1
    domain/src/delivery/scim_targets/settling.rs        1
    domain/src/delivery/signals/streams.rs              1
    domain/src/delivery/webhooks/fan_out.rs             1
    domain/src/delivery/webhooks/health.rs              1
    domain/src/grants/delegations.rs                    1
    domain/src/grants/refresh.rs                        1
    domain/src/organizations/members.rs                 1
    domain/src/people/accounts.rs                       1
    domain/src/people/guests.rs                         2
    domain/src/people/leaving.rs                        1
    domain/src/scim/schemas/values.rs                   1
is over the number that is kept
    domain/src/policies/decisions.rs                    1
    domain/src/policies/versions.rs                     1
is recorded with its outcome
    domain/src/people/login_history/mod.rs              1
is recorded with the browser that asks
    domain/src/people/guardians/opening.rs              1
is used once; its outcome is recorded
    domain/src/organizations/invitations.rs             2
    domain/src/people/links.rs                          1
is used once; the authorization is recorded
    domain/src/grants/par.rs                            2
is used once; the token that it buys is recorded
    domain/src/federation/trusted_issuers.rs            1
    domain/src/grants/codes.rs                          1
    domain/src/grants/polled.rs                         2
    domain/src/grants/refresh.rs                        1
its misuse is recorded
    domain/src/grants/codes.rs                          1
keeps an answer for retries
    domain/src/coordination/idempotency.rs              4
made with its first use; the token that carries it is recorded
    domain/src/people/subjects.rs                       1
made with the first secret that it seals
    domain/src/keys/tenant_keys.rs                      2
notes a choice; the authorization is recorded
    domain/src/people/sessions/mod.rs                   1
notes a use; what was done with it is recorded
    domain/src/apps/uses.rs                             2
notes that a proof was looked for; that it lapsed is recorded
    domain/src/organizations/domains.rs                 1
    domain/src/tenancy/custom_domains/checks.rs         1
notes when a browser was seen
    domain/src/people/sessions/mod.rs                   1
notes when a guest was used
    domain/src/people/guests.rs                         1
notes who is to be told of the end of a session
    domain/src/delivery/logouts.rs                      5
puts in order what was recorded
    domain/src/log/chain/mod.rs                         2
    domain/src/log/positions.rs                         3
says when to ask again, and nothing of the person
    domain/src/people/fields/asks.rs                    1
says who typed the code; the decision is recorded
    domain/src/grants/device_codes.rs                   1
signs what was recorded
    domain/src/log/chain/checkpoints.rs                 3
    domain/src/log/chain/retention.rs                   1
the authorization is recorded
    domain/src/grants/codes.rs                          1
the codes in their place are recorded
    domain/src/people/credentials/changing.rs           1
the impersonation that it is has been recorded
    domain/src/people/impersonations/beginning.rs       1
the issue of tokens is recorded
    domain/src/grants/refresh.rs                        4
the record itself
    domain/src/log/audit.rs                             3
    domain/src/log/outbox.rs                            3
    domain/src/policies/decisions.rs                    1
the refusal of its token is recorded
    domain/src/grants/polled.rs                         2
the same credential, sealed
    domain/src/delivery/signals/authorization.rs        1
the same key, wrapped by another version of the root
    domain/src/keys/tenant_keys.rs                      1
the same password, hashed with other parameters
    domain/src/people/accounts.rs                       1
the token that the application got is recorded
    domain/src/apps/registrations.rs                    1
what changed of the application is recorded
    domain/src/apps/registrations.rs                    1
what ended it is recorded
    domain/src/grants/delegations/ending.rs            11
    domain/src/grants/ending.rs                        37
    domain/src/grants/refresh.rs                        1
    domain/src/people/accounts.rs                       1
    domain/src/people/impersonations/ending.rs          2
    domain/src/people/sessions/ending.rs                2
    domain/src/people/withdrawn.rs                      2
    domain/src/tokens/api_keys/ending.rs                4
    domain/src/tokens/revocations.rs                    1
what the key does is recorded
    domain/src/tokens/api_keys/changing.rs              1
    domain/src/tokens/api_keys/mod.rs                   1
what the token does is recorded
    domain/src/scim/tokens.rs                           1
";

#[test]
fn every_write_is_recorded_or_quiet_for_a_reason_that_is_listed() {
    let mut reasons: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for found in statements() {
        if let Some(reason) = found.quiet {
            *reasons.entry(reason).or_default().entry(found.file).or_default() += 1;
        }
    }
    let mut table = String::from("\n");
    for (reason, files) in reasons {
        writeln!(table, "{reason}").unwrap();
        for (file, count) in files {
            writeln!(table, "    {:50}{count:>3}", file.trim_start_matches("crates/")).unwrap();
        }
    }
    let only_in = |one: &str, other: &str| {
        let known: Vec<&str> = other.lines().collect();
        one.lines().filter(|line| !known.contains(line)).map(|line| format!("\n{line}")).collect::<String>()
    };
    let (unlisted, gone) = (only_in(&table, QUIET), only_in(QUIET, &table));
    assert!(table == QUIET, "found, and not listed:{unlisted}\nlisted, and not found:{gone}");
}

/// The types hold a change to its meaning; a statement that is made at run time would pass them by.
#[test]
fn no_statement_is_made_at_run_time() {
    assert!(!code().contains("SystemSql::new("));
}
