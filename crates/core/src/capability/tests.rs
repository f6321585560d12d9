use super::*;

#[test]
fn nothing_belongs_to_two_capabilities() {
    let all = |of: fn(&Capability) -> &'static [&'static str]| {
        let mut names: Vec<_> = Capability::ALL.iter().flat_map(of).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    };
    all(|capability| capability.endpoints);
    all(|capability| capability.metadata);
    all(|capability| capability.parameters);
}

#[test]
fn a_level_goes_without_what_it_names_and_names_only_what_exists() {
    let without: Without = ["par"].into_iter().collect();
    assert!(!without.keeps(&Capability::PAR) && without.keeps(&Capability::JAR) && without.check().is_ok());
    let unknown: Without = ["telepathy"].into_iter().collect();
    assert!(unknown.check().unwrap_err().detail().contains("\"telepathy\" is not one of prompt, max_age"));
}
