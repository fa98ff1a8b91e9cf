package dev.fakegpu.simulate.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.simulate.controller.JobPolicies.Verdict;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobPoliciesTest {

    /** As in {@code success_policy_test.go}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{succeededIndexes: '0-2'}                     | 0 1 2   | true",
                "{succeededIndexes: '0-2'}                     | 0 2 3   | false",
                "{succeededIndexes: '0,2-4,9'}                 | 0 2 3 4 | false",
                "{succeededIndexes: '0,2-4,20'}                | 0 2 3 4 | true",
                "{succeededIndexes: '20'}                      | 0       | false",
                "{succeededIndexes: '0-4', succeededCount: 2}  | 1 4     | true",
                "{succeededIndexes: '0-4', succeededCount: 2}  | 1 5 6   | false",
                "{succeededCount: 2}                           | 7 8     | true",
                "{succeededCount: 2}                           | 7       | false",
                "{succeededIndexes: 'x,1'}                     | 1       | true"
            })
    void aRuleIsMetByIndexesOrTheirNumber(String rule, String succeeded, boolean isMet) {
        Set<Integer> indexes =
                Arrays.stream(succeeded.split(" ")).map(Integer::valueOf).collect(Collectors.toSet());

        assertThat(JobPolicies.success(spec("completions: 10, successPolicy: {rules: [%s]}".formatted(rule)), indexes)
                        .isPresent())
                .isEqualTo(isMet);
    }

    @Test
    void theFirstRuleThatIsMetIsNamed() {
        JobSpec spec = spec("completions: 3, successPolicy: {rules: [{succeededCount: 3}, {succeededIndexes: '1'}]}");

        assertThat(JobPolicies.success(spec, Set.of(1))).hasValue("Matched rules at index 1");
        assertThat(JobPolicies.success(spec, Set.of())).isEmpty();
        assertThat(JobPolicies.success(spec("completions: 3"), Set.of(1))).isEmpty();
    }

    /** As in {@code pod_failure_policy_test.go}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "{action: FailJob, onExitCodes: {operator: In, values: [1, 2, 3]}}                     | FailJob   | Container main for pod team/a failed with exit code 2 matching FailJob rule at index 0",
                "{action: FailJob, onExitCodes: {operator: In, values: [5]}}                           | FailJob   | Container setup for pod team/a failed with exit code 5 matching FailJob rule at index 0",
                "{action: FailJob, onExitCodes: {operator: NotIn, values: [2, 5]}}                     | Count     | -",
                "{action: FailIndex, onExitCodes: {operator: NotIn, values: [1]}}                      | FailIndex | -",
                "{action: FailJob, onExitCodes: {containerName: other, operator: In, values: [2]}}     | Count     | -",
                "{action: Ignore, onExitCodes: {containerName: main, operator: In, values: [2]}}       | Ignore    | -",
                "{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: 'True'}]}         | Ignore    | -",
                "{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: 'False'}]}        | Count     | -",
                "{action: FailJob, onPodConditions: [{type: Other}, {type: DisruptionTarget}]}         | FailJob   | Pod team/a has condition DisruptionTarget matching FailJob rule at index 0",
                "{action: Count, onPodConditions: [{type: DisruptionTarget}]}, {action: Ignore, onExitCodes: {operator: In, values: [2]}} | Count | -",
                "{action: FailJob, onExitCodes: {operator: In, values: [3]}}, {action: Ignore, onExitCodes: {operator: In, values: [2]}}  | Ignore | -"
            })
    void theFirstRuleThatAPodMatchesDecides(String rules, String action, String message) {
        Pod pod = TestObjects.pod("{name: a, namespace: team}", "spec: {}", """
                status:
                  conditions: [{type: DisruptionTarget, status: 'True'}]
                  containerStatuses:
                  - {name: done, state: {terminated: {exitCode: 0}}}
                  - {name: running, state: {running: {}}}
                  - {name: main, state: {terminated: {exitCode: 2}}}
                  initContainerStatuses: [{name: setup, state: {terminated: {exitCode: 5}}}]
                """);

        assertThat(JobPolicies.verdict(spec("podFailurePolicy: {rules: [%s]}".formatted(rules)), pod))
                .isEqualTo(new Verdict(action, message));
    }

    @Test
    void aFailureCountsUnlessAPolicySaysOtherwise() {
        Pod rejected = TestObjects.pod("{name: a, namespace: team}", "spec: {}", "status: {phase: Failed}");

        assertThat(JobPolicies.verdict(spec("completions: 1"), rejected).isCounted())
                .isTrue();
        assertThat(JobPolicies.verdict(
                                spec(
                                        "podFailurePolicy: {rules: [{action: Ignore, onExitCodes: {operator: NotIn, values: [0]}}]}"),
                                rejected)
                        .isCounted())
                .isTrue();
    }

    private static JobSpec spec(String fields) {
        return Serialization.unmarshal("spec: {%s}".formatted(fields), Job.class)
                .getSpec();
    }
}
