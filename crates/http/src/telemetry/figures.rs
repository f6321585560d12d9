//! The metrics as OTLP has them, made of the text for scrapers, so that both say the same.

use std::collections::BTreeMap;

use super::message::{CUMULATIVE, Data, Distribution, Gauge, Histogram, KeyValue, Metric, Number, Sum};
use crate::metrics::{FAMILIES, Family, FamilyKind};

/// When counting began and when it was looked at, in nanoseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    pub start: u64,
    pub now: u64,
}

type Labels = Vec<(String, String)>;

/// One line: `name{label="value",…} number`.
struct Sample {
    name: String,
    labels: Labels,
    value: f64,
}

/// Every family that has values.
pub(super) fn metrics(text: &str, period: Period) -> Vec<Metric> {
    let samples: Vec<_> = text.lines().filter_map(sample).collect();
    let of = |family: &Family| {
        let data = match family.kind {
            FamilyKind::Histogram => histogram(family.name, &samples, period),
            FamilyKind::Counter => {
                let data_points = numbers(family.name, &samples, period);
                Data::Sum(Sum { data_points, aggregation_temporality: CUMULATIVE, is_monotonic: true })
            }
            FamilyKind::Gauge => Data::Gauge(Gauge { data_points: numbers(family.name, &samples, period) }),
        };
        let metric =
            Metric { name: family.name.to_owned(), description: family.help.to_owned(), data: Some(data) };
        (!is_empty(&metric)).then_some(metric)
    };
    FAMILIES.iter().filter_map(of).collect()
}

fn is_empty(metric: &Metric) -> bool {
    match &metric.data {
        Some(Data::Gauge(gauge)) => gauge.data_points.is_empty(),
        Some(Data::Sum(sum)) => sum.data_points.is_empty(),
        Some(Data::Histogram(histogram)) => histogram.data_points.is_empty(),
        None => true,
    }
}

fn numbers(name: &str, samples: &[Sample], period: Period) -> Vec<Number> {
    let own = samples.iter().filter(|sample| sample.name == name);
    let number = |sample: &Sample| Number {
        start_time_unix_nano: period.start,
        time_unix_nano: period.now,
        as_double: Some(sample.value),
        attributes: attributes(&sample.labels),
    };
    own.map(number).collect()
}

/// Scrapers get the counts up to each bound, OTLP those between the bounds.
fn histogram(name: &str, samples: &[Sample], period: Period) -> Data {
    let mut points: BTreeMap<Labels, Distribution> = BTreeMap::new();
    for sample in samples {
        let Some(part) = sample.name.strip_prefix(name) else { continue };
        let (bounds, labels): (Labels, Labels) =
            sample.labels.iter().cloned().partition(|(label, _)| label == "le");
        let point = points.entry(labels).or_default();
        match part {
            "_sum" => point.sum = Some(sample.value),
            "_count" => point.count = whole(sample.value),
            "_bucket" => {
                let below: u64 = point.bucket_counts.iter().sum();
                point.bucket_counts.push(whole(sample.value).saturating_sub(below));
                let bound = bounds.first().and_then(|(_, bound)| bound.parse::<f64>().ok());
                point.explicit_bounds.extend(bound.filter(|bound| bound.is_finite()));
            }
            _ => {}
        }
    }
    points.retain(|_, point| !point.bucket_counts.is_empty());
    let points = points.into_iter().map(|(labels, point)| Distribution {
        start_time_unix_nano: period.start,
        time_unix_nano: period.now,
        attributes: attributes(&labels),
        ..point
    });
    Data::Histogram(Histogram { data_points: points.collect(), aggregation_temporality: CUMULATIVE })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts are whole and not negative"
)]
fn whole(value: f64) -> u64 {
    value as u64
}

fn attributes(labels: &[(String, String)]) -> Vec<KeyValue> {
    labels.iter().map(|(label, value)| KeyValue::text(label, value.as_str())).collect()
}

fn sample(line: &str) -> Option<Sample> {
    if line.starts_with('#') {
        return None;
    }
    let (series, value) = line.rsplit_once(' ')?;
    let value = value.parse().ok()?;
    let (name, labels) = match series.split_once('{') {
        None => (series, Vec::new()),
        Some((name, rest)) => (name, labels(rest.strip_suffix('}')?)?),
    };
    Some(Sample { name: name.to_owned(), labels, value })
}

/// The pairs between the braces; values have `\\`, `\"` and `\n`.
fn labels(text: &str) -> Option<Labels> {
    let mut labels = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (name, quoted) = rest.split_once("=\"")?;
        let (mut value, mut chars) = (String::new(), quoted.char_indices());
        let end = loop {
            match chars.next()? {
                (at, '"') => break at,
                (_, '\\') => value.push(match chars.next()?.1 {
                    'n' => '\n',
                    other => other,
                }),
                (_, char) => value.push(char),
            }
        };
        labels.push((name.to_owned(), value));
        rest = quoted.get(end + 1..)?.trim_start_matches(',');
    }
    Some(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: Period = Period { start: 1, now: 2 };

    #[test]
    fn counts_values_and_distributions_keep_their_labels() {
        let text = "# HELP http_requests_total Requests.\n# TYPE http_requests_total counter\n\
            http_requests_total{method=\"GET\",route=\"/a\\\"b\",status=\"200\"} 3\n\
            password_hashes_waiting 2\n\
            http_request_duration_seconds_bucket{method=\"GET\",route=\"/\",le=\"0.5\"} 2\n\
            http_request_duration_seconds_bucket{method=\"GET\",route=\"/\",le=\"1\"} 5\n\
            http_request_duration_seconds_bucket{method=\"GET\",route=\"/\",le=\"+Inf\"} 6\n\
            http_request_duration_seconds_sum{method=\"GET\",route=\"/\"} 7.5\n\
            http_request_duration_seconds_count{method=\"GET\",route=\"/\"} 6\n";
        let metrics = metrics(text, PERIOD);
        let names: Vec<_> = metrics.iter().map(|metric| metric.name.as_str()).collect();
        assert_eq!(
            names,
            ["http_requests_total", "http_request_duration_seconds", "password_hashes_waiting"]
        );
        let Some(Data::Sum(sum)) = &metrics[0].data else { panic!("{metrics:?}") };
        assert!(sum.is_monotonic && sum.data_points[0].as_double == Some(3.0));
        let route = KeyValue::text("route", "/a\"b");
        assert!(sum.data_points[0].attributes.contains(&route), "{sum:?}");
        let Some(Data::Histogram(histogram)) = &metrics[1].data else { panic!("{metrics:?}") };
        let point = &histogram.data_points[0];
        assert_eq!(
            (point.bucket_counts.as_slice(), point.explicit_bounds.as_slice()),
            (&[2, 3, 1][..], &[0.5, 1.0][..])
        );
        assert_eq!((point.count, point.sum, point.attributes.len()), (6, Some(7.5), 2));
    }

    #[test]
    fn a_line_that_is_no_sample_is_left_out() {
        for line in ["", "# TYPE a counter", "a", "a{b=\"c} 1", "a{b} 1", "a x"] {
            assert!(sample(line).is_none(), "{line}");
        }
    }
}
