package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.ref;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClaimStatusWritesTest {

    private static final String DRIVER = Claims.DRIVER;
    private static final int TIMEOUT = HttpURLConnection.HTTP_GATEWAY_TIMEOUT;
    private static final int INVALID = 422;

    private final Instant start = Instant.parse("2026-01-01T00:00:00Z");
    private final VirtualTime time = new VirtualTime(start);
    private final Map<String, ResourceClaim> stored = new HashMap<>(Map.of("a", allocated("a", "gpu-0")));
    private final MemoryCluster cluster = new MemoryCluster(time);
    private final ClaimStatusWrites writes = new ClaimStatusWrites(
            claim -> Optional.ofNullable(stored.get(claim.name())),
            new EventRecorder(cluster, time, time, "test", message -> {}, time),
            time,
            time);

    /** The HTTP status codes of the next failures; writes succeed when there are none left. */
    private final Queue<Integer> failures = new ArrayDeque<>();

    private final List<String> attempts = new ArrayList<>();

    @Test
    void failedWritesAreRetriedForeverAtLeastOnceAMinute() {
        // Given
        fail(TIMEOUT, 40);

        // When
        write("prepared");
        run(Duration.ofHours(1));

        // Then
        assertThat(attempts)
                .hasSize(41)
                .startsWith(
                        "0 prepared",
                        "1 prepared",
                        "3 prepared",
                        "7 prepared",
                        "15 prepared",
                        "31 prepared",
                        "63 prepared",
                        "123 prepared")
                .endsWith("2103 prepared");
    }

    @Test
    void conflictsAreTriedAgainAtOnceAndThenAsOtherFailures() {
        // Given
        fail(HttpURLConnection.HTTP_CONFLICT, 5);

        // When
        write("prepared");
        run(Duration.ofMinutes(10));

        // Then
        assertThat(attempts)
                .containsExactly("0 prepared", "0 prepared", "0 prepared", "0 prepared", "1 prepared", "1 prepared");
    }

    @Test
    void theNewestIsWritten() {
        // Given
        fail(TIMEOUT, 2);

        // When
        write("prepared");
        write("failed");
        run(Duration.ofMinutes(10));

        // Then
        assertThat(attempts).containsExactly("0 prepared", "0 failed", "2 failed");
    }

    @Test
    void aWriteThatIsSupersededBetweenRetriesIsDropped() {
        // Given a conflict with a concurrent write
        writes.write(DRIVER, stored("a"), claim -> {
            attempts.add("older");
            write("newer");
            throw failure(HttpURLConnection.HTTP_CONFLICT);
        });

        // When
        run(Duration.ofMinutes(10));

        // Then
        assertThat(attempts).containsExactly("older", "0 newer");
    }

    @Test
    void statusesOfTwoDriversForOneClaimAreWritten() {
        // Given
        fail(TIMEOUT, 2);

        // When
        write("prepared");
        writes.write("other.example.com", stored("a"), attempt("by another"));
        run(Duration.ofMinutes(10));

        // Then
        assertThat(attempts).contains("1 prepared", "1 by another");
    }

    @Test
    void endsWhenTheClaimIsGoneReplacedOrAllocatedOtherwise() {
        Stream.of(
                        Optional.<ResourceClaim>empty(),
                        Optional.of(replaced()),
                        Optional.of(allocated("a", "gpu-1")),
                        Optional.of(Claims.unallocated("a").build()))
                .forEach(now -> {
                    // Given
                    stored.put("a", allocated("a", "gpu-0"));
                    attempts.clear();
                    fail(TIMEOUT, 1);
                    write("prepared");

                    // When
                    stored.remove("a");
                    now.ifPresent(claim -> stored.put("a", claim));
                    run(Duration.ofMinutes(10));

                    // Then
                    assertThat(attempts).hasSize(1);
                });
    }

    @Test
    void aClaimThatIsGoneIsNotWritten() {
        // When
        writes.write(DRIVER, ref("gone"), attempt("unprepared"));
        writes.write(DRIVER, ref("a"), attempt("unprepared"));

        // Then
        assertThat(attempts).containsExactly("0 unprepared");
    }

    @Test
    void refusalsButNotOutagesAreReportedToTheUser() {
        // Given
        failures.addAll(List.of(TIMEOUT, INVALID));

        // When
        write("prepared");
        run(Duration.ofMinutes(10));

        // Then
        assertThat(cluster.events())
                .extracting(Event::getMessage)
                .containsExactly(
                        "the API server refuses to store the status of the devices, which is tried again at least every minute: no");
    }

    private ResourceClaim replaced() {
        var other = allocated("a", "gpu-0");
        other.getMetadata().setUid(Claims.uid("other"));
        return other;
    }

    private ResourceClaim stored(String name) {
        return Optional.ofNullable(stored.get(name)).orElseThrow();
    }

    private void write(String what) {
        writes.write(DRIVER, stored("a"), attempt(what));
    }

    private Consumer<ResourceClaim> attempt(String what) {
        return claim -> {
            attempts.add(Duration.between(start, time.instant()).toSeconds() + " " + what);
            var failure = failures.poll();
            if (failure != null) {
                throw failure(failure);
            }
        };
    }

    private void fail(int code, int times) {
        Stream.generate(() -> code).limit(times).forEach(failures::add);
    }

    private static KubernetesClientException failure(int code) {
        return new KubernetesClientException(
                "no", code, new StatusBuilder().withMessage("no").build());
    }

    private void run(Duration duration) {
        Instant end = time.instant().plus(duration);
        time.runDue();
        for (var due = time.nextDue(); due.isPresent() && !due.get().isAfter(end); due = time.nextDue()) {
            time.moveTo(due.get());
            time.runDue();
        }
        time.moveTo(end);
    }
}
