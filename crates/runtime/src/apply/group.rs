//! The groups of a file, and the groups of its people.

use std::collections::BTreeSet;

use svc_core::Cx;
use svc_db::{Tenant, Tx};
use svc_domain::people::groups;
use svc_domain::people::tenant_users::Person;

use super::change::{self, Change};
use super::faults::Faults;
use super::outcome::{Outcome, Record, Verb};
use super::{Group, naming};
use crate::failure::Failure;
use crate::pages::read_all;

/// Makes a group so, without the groups in it.
pub(super) async fn apply(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    wanted: &Group,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let new = &wanted.configuration;
    let mut record = Record::new(Verb::Created, "group", &new.name);
    if let Some(present) = groups::find_by_name(tx, &new.name).await? {
        let is_changed = groups::update(tx, cx, &present, new).await?;
        record.verb = Verb::of_change(is_changed);
        if is_changed {
            record.changes = change::between(&present.configuration, new);
        }
    } else {
        groups::create(tx, cx, new).await?;
    }
    outcome.note(record);
    Ok(())
}

/// Puts the groups into one another as the file says; all of them are there. What leaves a group goes first, so that a file may turn
/// two groups round, whatever the order of its tables.
pub(super) async fn nest(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (outer, wanted): (&str, &[Group]),
    (outcome, faults): (&mut Outcome, &mut Faults),
) -> Result<(), Failure> {
    let place = |group: &Group| format!("{outer}: group {:?}", group.configuration.name);
    let mut parted = Vec::new();
    for group in wanted {
        let done = part(tx, cx, group).await;
        if let Some(present) = faults.note(&group.written, &place(group), done)? {
            parted.push((group, present));
        }
    }
    for (group, present) in parted {
        let done = fill(tx, cx, (group, &present)).await;
        if let Some(changes) = faults.note(&group.written, &place(group), done)? {
            outcome.amend("group", &group.configuration.name, changes);
        }
    }
    Ok(())
}

/// Takes out of a group the groups that the file does not name; returns those that were in it.
async fn part(tx: &mut Tx<Tenant>, cx: &Cx, wanted: &Group) -> Result<Vec<groups::Group>, Failure> {
    let outer = found(tx, &wanted.configuration.name).await?;
    let present = groups::groups_inside(tx, outer.id).await?;
    for inner in present.iter().filter(|inner| !wanted.groups.contains(&inner.configuration.name)) {
        groups::unnest(tx, cx, &outer, inner).await?;
    }
    Ok(present)
}

/// Puts into a group the groups that the file names; returns what differs from those that were in it.
async fn fill(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (wanted, present): (&Group, &[groups::Group]),
) -> Result<Vec<Change>, Failure> {
    let outer = found(tx, &wanted.configuration.name).await?;
    let mut is_changed = present.iter().any(|inner| !wanted.groups.contains(&inner.configuration.name));
    for name in &wanted.groups {
        let inner = found(tx, name).await?;
        is_changed |= groups::nest(tx, cx, &outer, &inner).await?;
    }
    Ok(is_changed.then(|| of_groups(present, &wanted.groups)).into_iter().collect())
}

/// Which groups there were, and which the file names.
fn of_groups(present: &[groups::Group], wanted: &[String]) -> Change {
    let before: BTreeSet<_> = present.iter().map(|group| group.configuration.name.clone()).collect();
    let after: BTreeSet<_> = wanted.iter().cloned().collect();
    Change::of("groups", Vec::from_iter(before), Vec::from_iter(after))
}

/// Puts a person into the groups that the file names, and takes the person out of the others; returns what changed.
pub(super) async fn join(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (person, names): (&Person, &[String]),
) -> Result<Option<Change>, Failure> {
    let mut changed = false;
    let present = groups::of_person(tx, person.id).await?;
    for group in present.iter().filter(|group| !names.contains(&group.configuration.name)) {
        changed |= groups::remove(tx, cx, group, person).await?;
    }
    for name in names {
        let group = found(tx, name).await?;
        changed |= groups::add(tx, cx, &group, person).await?;
    }
    Ok(changed.then(|| of_groups(&present, names)))
}

async fn found(tx: &mut Tx<Tenant>, name: &str) -> Result<groups::Group, Failure> {
    Ok(naming::group(tx, "groups", name).await?)
}

/// Every group, each with the names of the groups in it.
pub(super) async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(groups::Group, BTreeSet<String>)>, Failure> {
    let mut all = Vec::new();
    for group in read_all!(|page| groups::list(tx, page).await?, |group| group.id) {
        let inside = groups::groups_inside(tx, group.id).await?;
        all.push((group, inside.into_iter().map(|inner| inner.configuration.name).collect()));
    }
    Ok(all)
}
