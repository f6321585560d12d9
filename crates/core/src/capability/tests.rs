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
    all(|capability| capability.metadata);
    all(|capability| capability.parameters);
}

#[test]
fn an_endpoint_belongs_to_two_capabilities_only_where_it_needs_both() {
    let mut paths: Vec<_> = Capability::ALL.iter().flat_map(|capability| capability.endpoints).collect();
    paths.sort_unstable();
    for pair in paths.windows(2).filter(|pair| pair[0] == pair[1]) {
        let needed: Vec<_> = Capability::of_path(pair[0]).map(|capability| capability.name).collect();
        assert_eq!(needed, ["api_keys", "organizations"], "{}", pair[0]);
    }
}

#[test]
fn a_level_goes_without_what_it_names_and_names_only_what_exists() {
    let without: Without = ["par"].into_iter().collect();
    assert!(!without.keeps(&Capability::PAR) && without.keeps(&Capability::JAR) && without.check().is_ok());
    let twice: Without = serde_json::from_str(r#"["par", "par"]"#).unwrap();
    assert_eq!((&twice, serde_json::to_string(&twice).unwrap().as_str()), (&without, r#"["par"]"#));
    let unknown: Without = ["telepathy"].into_iter().collect();
    assert!(unknown.check().unwrap_err().detail().contains("\"telepathy\" is not one of prompt, max_age"));
}
