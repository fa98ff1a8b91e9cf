package dev.fakegpu.simulate.controller;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyOnExitCodesRequirement;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyOnPodConditionsPattern;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyRule;
import io.fabric8.kubernetes.api.model.batch.v1.SuccessPolicyRule;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policies of Jobs for pods that succeed or fail. Upstream: {@code success_policy.go}, {@code pod_failure_policy.go} and {@code
 * parseIndexesFromString} in {@code pkg/controller/job}.
 */
final class JobPolicies {

    private static final Pattern INTERVAL = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    private JobPolicies() {}

    /**
     * What follows from the failure of a pod.
     *
     * @param action such as {@code Ignore}
     * @param message why the Job fails; null if it does not
     */
    record Verdict(String action, @Nullable String message) {
        private static final Verdict COUNT = new Verdict("Count", null);

        boolean isCounted() {
            return !action.equals("Ignore");
        }

        boolean failsIndex() {
            return action.equals("FailIndex");
        }
    }

    /** The action of the first rule of the {@code podFailurePolicy} that the pod matches. */
    static Verdict verdict(JobSpec spec, Pod failed) {
        List<PodFailurePolicyRule> rules = spec.getPodFailurePolicy() == null
                ? List.of()
                : spec.getPodFailurePolicy().getRules();
        PodStatus status = Objects.requireNonNullElseGet(failed.getStatus(), PodStatus::new);
        for (int i = 0; i < rules.size(); i++) {
            PodFailurePolicyRule rule = rules.get(i);
            String end = " matching %s rule at index %d".formatted(rule.getAction(), i);
            Optional<String> match = (rule.getOnExitCodes() == null
                            ? condition(status, rule.getOnPodConditions())
                                    .map(condition ->
                                            "Pod %s has condition %s".formatted(name(failed), condition.getType()))
                            : container(status, rule.getOnExitCodes())
                                    .map(container -> "Container %s for pod %s failed with exit code %d"
                                            .formatted(container.getName(), name(failed), exitCode(container))))
                    .map(text -> text + end);
            if (match.isPresent()) {
                return new Verdict(rule.getAction(), rule.getAction().equals("FailJob") ? match.get() : null);
            }
        }
        return Verdict.COUNT;
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    private static Optional<PodCondition> condition(
            PodStatus status, List<PodFailurePolicyOnPodConditionsPattern> patterns) {
        return status.getConditions().stream()
                .filter(condition -> patterns.stream()
                        .anyMatch(pattern -> condition.getType().equals(pattern.getType())
                                && condition
                                        .getStatus()
                                        .equals(Objects.requireNonNullElse(pattern.getStatus(), "True"))))
                .findFirst();
    }

    private static Optional<ContainerStatus> container(
            PodStatus status, PodFailurePolicyOnExitCodesRequirement requirement) {
        return Stream.of(status.getContainerStatuses(), status.getInitContainerStatuses())
                .flatMap(List::stream)
                .filter(container -> requirement.getContainerName() == null
                        || requirement.getContainerName().equals(container.getName()))
                .filter(container -> exitCode(container) != 0
                        && requirement.getValues().contains(exitCode(container))
                                == requirement.getOperator().equals("In"))
                .findFirst();
    }

    /** The exit code; 0 if the container has not ended. */
    private static int exitCode(ContainerStatus container) {
        return container.getState() == null || container.getState().getTerminated() == null
                ? 0
                : container.getState().getTerminated().getExitCode();
    }

    /** Which rule of the {@code successPolicy} is met; empty if none is. */
    static Optional<String> success(JobSpec spec, Set<Integer> succeeded) {
        if (spec.getSuccessPolicy() == null || succeeded.isEmpty()) {
            return Optional.empty();
        }
        List<SuccessPolicyRule> rules = spec.getSuccessPolicy().getRules();
        return IntStream.range(0, rules.size())
                .filter(i -> isMet(rules.get(i), spec.getCompletions(), succeeded))
                .mapToObj(i -> "Matched rules at index " + i)
                .findFirst();
    }

    private static boolean isMet(SuccessPolicyRule rule, int completions, Set<Integer> succeeded) {
        Integer count = rule.getSucceededCount();
        if (rule.getSucceededIndexes() == null) {
            return count != null && succeeded.size() >= count;
        }
        Set<Integer> required = indexes(rule.getSucceededIndexes(), completions);
        long have = required.stream().filter(succeeded::contains).count();
        return !required.isEmpty() && (have == required.size() || (count != null && have >= count));
    }

    /** @param intervals such as {@code 0,2-4} */
    private static Set<Integer> indexes(String intervals, int completions) {
        return Arrays.stream(intervals.split(","))
                .map(INTERVAL::matcher)
                .filter(Matcher::matches)
                .flatMap(interval -> IntStream.rangeClosed(
                                Integer.parseInt(interval.group(1)),
                                Math.min(
                                        completions - 1,
                                        Integer.parseInt(
                                                Objects.requireNonNullElse(interval.group(2), interval.group(1)))))
                        .boxed())
                .collect(Collectors.toSet());
    }
}
