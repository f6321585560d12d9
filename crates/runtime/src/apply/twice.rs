//! What a file says twice: the later table would undo the earlier one, at every run.

use std::collections::BTreeMap;

use super::faults::Written;
use super::file::Tenant;
use super::reader::Reader;

/// Refuses tenants, and records of the kinds that the file has in every tenant, by a name that an earlier table has.
pub(super) fn refuse(reader: &mut Reader<'_>, tenants: &[Tenant]) {
    each(reader, "tenant", tenants.iter().map(|tenant| (&tenant.slug, &tenant.written)));
    for tenant in tenants {
        let of = |kind: &str| format!("tenant {:?}: {kind}", tenant.slug);
        each(reader, &of("api"), tenant.api.iter().map(|api| (&api.identifier, &api.written)));
        each(reader, &of("application"), tenant.application.iter().map(|app| (&app.handle, &app.written)));
        each(reader, &of("role"), tenant.role.iter().map(|role| (&role.name, &role.written)));
        let groups = tenant.group.iter().map(|group| (&group.configuration.name, &group.written));
        each(reader, &of("group"), groups);
        each(reader, &of("user"), tenant.user.iter().map(|user| (user.name(), &user.written)));
        let organizations = tenant.organization.iter().map(|customer| (customer.slug(), &customer.written));
        each(reader, &of("organization"), organizations);
        let policies = tenant.policy.iter().map(|policy| (&policy.configuration.name, &policy.written));
        each(reader, &of("policy"), policies);
    }
}

/// Refuses each record of one kind that has the name of an earlier one; `kind` says where it is, too.
pub(super) fn each<'a>(
    reader: &mut Reader<'_>,
    kind: &str,
    records: impl Iterator<Item = (impl Into<String>, &'a Written)>,
) {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for (name, written) in records {
        let name = name.into();
        if let Some(first) = lines.get(&name) {
            let fault = format!("line {first} has it already; keep one of the two");
            reader.refuse_at(written.line, &format!("{kind} {name:?}"), &fault);
        } else if !name.is_empty() {
            lines.insert(name, written.line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::Seed;

    #[test]
    fn what_a_file_says_twice_is_refused_at_its_second_line() {
        let text = "[[tenant]]\nslug = 'a'\nname = 'A'\n\
            [[tenant.application]]\nhandle = 'web'\nname = 'W'\n\
            [[tenant.user]]\nusername = 'ada'\n\
            [[tenant.user]]\nusername = 'ada'\nroles = []\n\
            [[tenant.application]]\nhandle = 'web'\nname = 'V'\n\
            [[tenant]]\nslug = 'b'\nname = 'B'\n\
            [[tenant.application]]\nhandle = 'web'\nname = 'W'\n\
            [[tenant]]\nslug = 'a'\nname = 'C'\n";
        let refused = Seed::parse(text).unwrap_err().to_string();
        let expected = "line 9: tenant \"a\": user \"ada\": line 7 has it already; keep one of the two\n\
            line 12: tenant \"a\": application \"web\": line 4 has it already; keep one of the two\n\
            line 21: tenant \"a\": line 1 has it already; keep one of the two";
        assert_eq!(refused, expected);
    }
}
