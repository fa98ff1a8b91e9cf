package dev.fakegpu.simulate.controller;

import dev.fakegpu.simulate.controller.JobPolicies.Verdict;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The progress of a Job, with the UIDs of pods, which count even after they were deleted. Not thread-safe. */
final class JobProgress {

    private static final String INDEX = JobController.INDEX;
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(10);

    private final Set<String> succeeded = new HashSet<>();
    private final Set<Integer> succeededIndexes = new HashSet<>();

    /** By UID. */
    private final Map<String, Failure> failed = new HashMap<>();

    private final Set<String> unneeded = new HashSet<>();
    private @Nullable Instant lastSuccess;

    /** How the Job ends; null as long as it is not known. */
    @Nullable Outcome outcome;

    /** The times when the Job is processed again. */
    final Set<Instant> wakes = new HashSet<>();

    @Nullable Instant started;

    /** The time when failed pods are replaced. */
    @Nullable Instant replaces;

    boolean isFinished;

    /** @param type the type of the last condition, {@code Complete} or {@code Failed} */
    record Outcome(String type, String reason, String message) {

        static Outcome failed(String reason, String message) {
            return new Outcome("Failed", reason, message);
        }

        static Outcome complete(String reason, String message) {
            return new Outcome("Complete", reason, message);
        }

        /** The type of the condition that the Job has as long as some of its pods terminate. */
        String interimType() {
            return type.equals("Failed") ? "FailureTarget" : "SuccessCriteriaMet";
        }
    }

    private record Failure(Instant at, @Nullable Integer index, Verdict verdict) {

        private boolean isCounted() {
            return verdict.isCounted();
        }
    }

    static Optional<Integer> index(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(INDEX))
                .filter(index -> index.matches("\\d{1,9}"))
                .map(Integer::valueOf);
    }

    static Set<Integer> indexes(Collection<Pod> pods) {
        return pods.stream().flatMap(pod -> index(pod).stream()).collect(Collectors.toSet());
    }

    void succeeded(Pod pod, Instant now) {
        if (succeeded.add(pod.getMetadata().getUid())) {
            lastSuccess = now;
            failed.remove(pod.getMetadata().getUid());
            index(pod).ifPresent(succeededIndexes::add);
        }
    }

    void failed(Pod pod, Instant now, Verdict verdict) {
        String uid = pod.getMetadata().getUid();
        if (!succeeded.contains(uid) && !unneeded.contains(uid)) {
            failed.putIfAbsent(uid, new Failure(now, index(pod).orElse(null), verdict));
        }
    }

    /** The pods are going to be deleted, which is not a failure. */
    void unneeded(Collection<Pod> pods) {
        pods.forEach(pod -> unneeded.add(pod.getMetadata().getUid()));
    }

    int succeeded() {
        return succeeded.size();
    }

    Set<Integer> succeededIndexes() {
        return succeededIndexes;
    }

    /** Forgets the indexes that are too high after {@code completions} were lowered ({@code parseIndexesFromString}). */
    void forgetIndexes(int completions) {
        succeededIndexes.removeIf(index -> index >= completions);
        failed.replaceAll((uid, failure) -> failure.index() == null || failure.index() < completions
                ? failure
                : new Failure(failure.at(), null, failure.verdict()));
    }

    /** Why the failure of a pod makes the Job fail. */
    Optional<Outcome> failedByPod() {
        return failed.values().stream()
                .flatMap(failure -> Stream.ofNullable(failure.verdict().message()))
                .sorted()
                .findFirst()
                .map(message -> Outcome.failed("PodFailurePolicy", message));
    }

    /** The number of failures, without those that the Job ignores. */
    long failures() {
        return failed.values().stream().filter(Failure::isCounted).count();
    }

    /** The number of failures of an index. */
    long failures(int index, boolean areCounted) {
        return of(index).filter(failure -> failure.isCounted() == areCounted).count();
    }

    private Stream<Failure> of(int index) {
        return failed.values().stream().filter(failure -> Objects.equals(failure.index(), index));
    }

    /** @param limit the {@code backoffLimitPerIndex}; null if the Job has none */
    Set<Integer> failedIndexes(@Nullable Integer limit) {
        return limit == null
                ? Set.of()
                : failed.values().stream()
                        .flatMap(failure -> Stream.ofNullable(failure.index()))
                        .filter(index -> failures(index, true) > limit
                                || of(index)
                                        .anyMatch(failure -> failure.verdict().failsIndex()))
                        .collect(Collectors.toSet());
    }

    /** The time after which failed pods may be replaced ({@code getRemainingTime}); empty if none has failed since the last success. */
    Optional<Instant> backoff() {
        Predicate<Failure> isLater =
                failure -> lastSuccess == null || failure.at().isAfter(lastSuccess);
        return backoff(failed.values().stream().filter(isLater));
    }

    /** The time after which the failed pod of an index may be replaced ({@code getRemainingTimePerIndex}). */
    Optional<Instant> backoff(int index) {
        return backoff(of(index));
    }

    private static Optional<Instant> backoff(Stream<Failure> failures) {
        List<Instant> times = failures.map(Failure::at).sorted().toList();
        if (times.isEmpty()) {
            return Optional.empty();
        }
        Duration backoff = FIRST_BACKOFF;
        for (int i = 1; i < times.size() && backoff.compareTo(LONGEST_BACKOFF) < 0; i++) {
            backoff = backoff.multipliedBy(2);
        }
        return Optional.of(
                times.get(times.size() - 1).plus(backoff.compareTo(LONGEST_BACKOFF) < 0 ? backoff : LONGEST_BACKOFF));
    }
}
