//! Alert rules and dashboard: they ask for metrics and labels that exist, and every family is looked at.

use std::collections::BTreeSet;

use serde_json::Value;
use svc_http::{FAMILIES, Family, FamilyKind, Metrics};

use super::root;

/// Labels that Prometheus adds: of the scrape, of histograms, of alerts.
const ADDED_LABELS: [&str; 4] = ["instance", "job", "exported_job", "le"];
/// What Prometheus knows by itself.
const OF_PROMETHEUS: [&str; 1] = ["up"];

/// The expressions of the alert rules; a block goes on as long as its lines are indented further.
fn rules() -> Vec<String> {
    let text = std::fs::read_to_string(root("packaging/monitoring/alerts.yml")).unwrap();
    let parts = text.split("        expr: ").skip(1);
    parts.map(|part| part.split("\n        ").take_while(is_of_expression).collect()).collect()
}

fn is_of_expression(line: &&str) -> bool {
    !["for: ", "labels: "].iter().any(|key| line.starts_with(key))
}

/// The expressions of the dashboard, wherever they stand.
fn panels(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => {
            let own = members.get("expr").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(members.values().flat_map(panels)).collect()
        }
        Value::Array(items) => items.iter().flat_map(panels).collect(),
        _ => Vec::new(),
    }
}

fn dashboard() -> Value {
    let text = std::fs::read_to_string(root("packaging/monitoring/dashboard.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The names in an expression: metrics with the labels that are chosen by, and labels that are grouped by.
fn names(expression: &str) -> (Vec<(String, Vec<String>)>, Vec<String>) {
    let (mut metrics, mut grouped) = (Vec::new(), Vec::new());
    let mut rest = expression;
    while let Some(at) = rest.find(|char: char| char.is_ascii_alphanumeric() || "_$\"[".contains(char)) {
        rest = &rest[at..];
        if let Some(quoted) = rest.strip_prefix('"') {
            rest = quoted.split_once('"').unwrap().1;
            continue;
        }
        if rest.starts_with('[') {
            rest = rest.split_once(']').unwrap().1;
            continue;
        }
        let is_of_word = |char: char| char.is_ascii_alphanumeric() || "_$.".contains(char);
        let (word, after) = rest.split_at(rest.find(|char| !is_of_word(char)).unwrap_or(rest.len()));
        rest = after;
        if word == "by" {
            let (list, after) = rest.trim_start().strip_prefix('(').unwrap().split_once(')').unwrap();
            grouped.extend(list.split(',').map(|label| label.trim().to_owned()));
            rest = after;
        } else if let Some(chosen) = rest.strip_prefix('{') {
            let (list, after) = chosen.split_once('}').unwrap();
            let labels = list.split(',').map(|one| one.split(['=', '!']).next().unwrap().to_owned());
            metrics.push((word.to_owned(), labels.collect()));
            rest = after;
        } else if !is_function_or_number(word, rest) {
            metrics.push((word.to_owned(), Vec::new()));
        }
    }
    (metrics, grouped)
}

fn is_function_or_number(word: &str, rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.starts_with('(') || rest.starts_with("by ") || word.starts_with(|char: char| char.is_ascii_digit())
}

fn family(metric: &str) -> Option<&'static Family> {
    let plain = ["_bucket", "_sum", "_count"].iter().find_map(|suffix| metric.strip_suffix(suffix));
    FAMILIES.iter().find(|family| match family.kind {
        FamilyKind::Histogram => plain == Some(family.name),
        _ => metric == family.name,
    })
}

fn expressions() -> Vec<String> {
    [rules(), panels(&dashboard())].concat()
}

#[test]
fn alert_rules_and_dashboard_ask_for_metrics_and_labels_that_exist() {
    assert!(rules().len() > 10 && panels(&dashboard()).len() > 20);
    for expression in expressions() {
        let (metrics, grouped) = names(&expression);
        assert!(!metrics.is_empty(), "{expression}");
        let mut labels: BTreeSet<&str> = ADDED_LABELS.into();
        for (metric, chosen) in &metrics {
            assert!(chosen.iter().any(|label| label == "job"), "another program's {metric}: {expression}");
            if OF_PROMETHEUS.contains(&metric.as_str()) {
                continue;
            }
            let family =
                family(metric).unwrap_or_else(|| panic!("no metric is called {metric}: {expression}"));
            for label in chosen {
                let is_known =
                    ADDED_LABELS.contains(&label.as_str()) || family.labels.contains(&label.as_str());
                assert!(is_known, "{metric} has no label {label}: {expression}");
            }
            labels.extend(family.labels);
        }
        let unknown: Vec<_> = grouped.iter().filter(|label| !labels.contains(label.as_str())).collect();
        assert!(unknown.is_empty(), "{unknown:?}: {expression}");
    }
}

#[test]
fn every_family_of_metrics_is_on_the_dashboard() {
    let expressions = panels(&dashboard());
    let shown: BTreeSet<_> = expressions
        .iter()
        .flat_map(|expression| names(expression).0)
        .filter_map(|(metric, _)| family(&metric).map(|family| family.name))
        .collect();
    let missing: Vec<_> =
        FAMILIES.iter().map(|family| family.name).filter(|name| !shown.contains(name)).collect();
    assert!(missing.is_empty(), "not on the dashboard: {missing:?}");
}

/// How often something happened is no rate: its first time counts, and a series that begins with it has not grown.
#[test]
fn what_a_rule_counts_from_the_first_time_on_is_there_before_it() {
    let shown = Metrics::new().render();
    let rules = rules();
    let counts = rules.iter().filter(|rule| rule.contains("increase(") && rule.ends_with(" > 0"));
    let metrics: Vec<_> = counts.flat_map(|rule| names(rule).0).map(|(metric, _)| metric).collect();
    assert!(!metrics.is_empty(), "{rules:?}");
    for metric in metrics {
        assert!(
            shown.lines().any(|line| line.starts_with(&metric)),
            "{metric} is not there before the first"
        );
    }
}

#[test]
fn each_alert_says_what_is_wrong_and_what_to_do_and_has_its_test() {
    let text = std::fs::read_to_string(root("packaging/monitoring/alerts.yml")).unwrap();
    let tests = std::fs::read_to_string(root("packaging/monitoring/alerts.test.yml")).unwrap();
    let alerts: Vec<_> = text.split("- alert: ").skip(1).collect();
    assert_eq!(alerts.len(), rules().len());
    for alert in alerts {
        let name = alert.lines().next().unwrap();
        for key in ["labels: {severity: ", "summary: ", "action: "] {
            assert!(alert.contains(key), "{name} has no {key}");
        }
        assert!(tests.contains(&format!("alertname=\"{name}\"")), "no test makes {name} fire");
    }
}
