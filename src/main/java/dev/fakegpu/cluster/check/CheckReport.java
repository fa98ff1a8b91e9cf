package dev.fakegpu.cluster.check;

import java.util.List;

/**
 * The result of a check.
 *
 * @param rules all rules that were applied
 * @param subjects every slice, pool, class and other object that was checked, in order
 * @param findings by subject, in the order of the subjects
 */
public record CheckReport(List<Rule> rules, List<Subject> subjects, List<Violation> findings) {

    /**
     * A slice, pool, class or other object.
     *
     * @param name the kind and name of an object, or {@code pool driver/name}
     */
    public record Subject(Scope scope, String file, String name, List<Violation> findings) {
        public Subject {
            findings = List.copyOf(findings);
        }
    }

    public CheckReport {
        rules = List.copyOf(rules);
        subjects = List.copyOf(subjects);
        findings = List.copyOf(findings);
    }

    public long count(Severity severity) {
        return findings.stream()
                .filter(finding -> finding.rule().severity() == severity)
                .count();
    }

    long count(Scope scope) {
        return subjects.stream().filter(subject -> subject.scope() == scope).count();
    }
}
