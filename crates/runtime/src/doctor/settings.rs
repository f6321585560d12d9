//! The configuration: whether the service would start with it, and what it names.

use svc_config::Fault;

use super::Patient;
use super::finding::Finding;
use crate::preflight;

const CHECK: &str = "configuration";

/// Every broken rule of starting. Without `svc-kms`, secrets that it holds are not known to be missing.
pub fn examine(patient: &Patient, has_secrets: bool) -> Vec<Finding> {
    let config = &patient.config;
    let absent = config.absent_secrets();
    let is_known = |fault: &&Fault| has_secrets || !absent.contains(&fault.key.as_str());
    let faults = preflight::faults_without_kms(config);
    let mut findings: Vec<_> = faults.iter().filter(is_known).map(finding).collect();
    if findings.is_empty() {
        let mode = if config.security.production { "production mode" } else { "not production mode" };
        findings.push(Finding::ok(CHECK, format!("{mode}, issuer {}", config.oidc.issuer_url.as_str())));
    }
    // What else is a warning of starting, the check of proxies finds.
    let remarks = config.ignored();
    findings.extend(remarks.iter().map(|remark| {
        Finding::warning(CHECK, format!("{}: {}", remark.key, remark.what), remark.fix.clone())
    }));
    findings
}

/// A fault of the configuration as a finding.
pub fn finding(fault: &Fault) -> Finding {
    Finding::fault(CHECK, format!("{}: {}", fault.key, fault.what), fault.fix.clone())
}
