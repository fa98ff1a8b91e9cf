package dev.fakegpu.engine.allocate;

import static dev.fakegpu.engine.allocate.Hardware.CLASS;
import static dev.fakegpu.engine.allocate.Hardware.NODE;
import static dev.fakegpu.engine.allocate.Hardware.claim;
import static dev.fakegpu.engine.allocate.Hardware.counters;
import static dev.fakegpu.engine.allocate.Hardware.device;
import static dev.fakegpu.engine.allocate.Hardware.on;
import static dev.fakegpu.engine.allocate.Hardware.options;
import static dev.fakegpu.engine.allocate.Hardware.pool;
import static dev.fakegpu.engine.allocate.Hardware.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceConstraint;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import dev.fakegpu.engine.cel.Selectors;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A limit also ends an attempt while selectors are evaluated. The clock advances by a millisecond at each reading, so the number of
 * milliseconds is the number of checks on any machine.
 */
class InterruptedAttemptTest {

    private static final int DEVICES = 16;
    private static final int SELECTORS = 9;
    private static final int LIMIT_MILLIS = 300;

    private final AtomicLong millis = new AtomicLong();

    private SearchLimit limit(int ofMillis) {
        return SearchLimit.of(
                Duration.ofMillis(ofMillis),
                () -> Duration.ofMillis(millis.getAndIncrement()).toNanos());
    }

    /** A valid selector, whose cost is about half of what the API allows. It selects every device, and differs for each number. */
    private static String costly(int number) {
        String list = IntStream.range(0, 40).mapToObj(Integer::toString).collect(Collectors.joining(", ", "[", "]"));
        return "device.attributes['gpu.example.com'].name != 'x' && %s.all(a, %s.all(b, %s.all(c, a + b + c < %d)))"
                .formatted(list, list, list, 1000 + number);
    }

    private static Allocator allocator() {
        return new Allocator(context());
    }

    private static AllocationContext context() {
        Device[] devices =
                IntStream.range(0, DEVICES).mapToObj(i -> device("d" + i)).toArray(Device[]::new);
        return AllocationContext.of(
                state(pool(List.of(), devices)), new Selectors(), options(GroupsGate.ON, GroupPolicy.SNAPSHOT));
    }

    /** No device has the name in the last selector, so each selector is evaluated for each device. */
    private static List<String> costly() {
        return Stream.concat(
                        IntStream.range(0, SELECTORS).mapToObj(InterruptedAttemptTest::costly),
                        Stream.of("device.attributes['gpu.example.com'].name == 'none'"))
                .toList();
    }

    private static ExactRequest exactly(List<String> selectors, String mode, @Nullable Boolean adminAccess) {
        return new ExactRequest("r", CLASS.name(), selectors, false, mode, 1, List.of(), null, Map.of(), adminAccess);
    }

    private static Claim of(ExactRequest request) {
        return claim("c", new DeviceRequest("r", request, List.of()));
    }

    static Stream<ExactRequest> requests() {
        return Stream.of(
                exactly(costly(), ExactRequest.EXACT_COUNT, null),
                exactly(costly(), ExactRequest.EXACT_COUNT, true),
                exactly(costly(), ExactRequest.ALL, null));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void endsWhileSelectorsAreEvaluated(ExactRequest request) {
        Outcome outcome = allocator().allocate(NODE, List.of(of(request)), limit(LIMIT_MILLIS));

        // 16 devices with 9 selectors need tens of thousands of checks.
        assertThat(((Outcome.Aborted) outcome).message())
                .startsWith(
                        "timed out after PT0.3S, while the selectors of claim default/c, request r were evaluated on"
                                + " device gpu.example.com/pool/d");
        assertThat(millis).hasValueBetween(LIMIT_MILLIS, LIMIT_MILLIS + 10);
    }

    @Test
    void endsWhileTheForwardCheckIsMade() {
        Claim claim = of(exactly(costly(), ExactRequest.EXACT_COUNT, null));

        Outcome outcome = allocator().allocate(NODE, List.of(claim), limit(LIMIT_MILLIS), 0);

        assertThat(outcome).isInstanceOf(Outcome.Aborted.class);
        assertThat(millis).hasValueBetween(LIMIT_MILLIS, LIMIT_MILLIS + 10);
    }

    @Test
    void endsWhileAnAttributeIsDerived() {
        String derived = costly(0) + " ? 'a' : 'b'";
        var request = new ExactRequest(
                "r",
                CLASS.name(),
                List.of(),
                false,
                ExactRequest.EXACT_COUNT,
                16,
                List.of(),
                null,
                Map.of("example.com/a", derived),
                null);
        var constraint = new DeviceConstraint(List.of(), null, "example.com/a");
        var claim = new Claim(
                Hardware.ref("c"), List.of(new DeviceRequest("r", request, List.of())), List.of(constraint), List.of());

        Outcome outcome = allocator().allocate(NODE, List.of(claim), limit(30));

        assertThat(outcome).isEqualTo(new Outcome.Aborted("timed out after PT0.03S"));
        assertThat(millis).hasValueBetween(30, 40);
    }

    @Test
    void anInterruptedEvaluationIsNoResult() {
        // Given
        var allocator = allocator();
        Claim claim = claim("c", Hardware.request("r", costly(0), 1));
        assertThat(allocator.allocate(NODE, List.of(claim), limit(20))).isInstanceOf(Outcome.Aborted.class);

        // When
        Outcome again = allocator.allocate(NODE, List.of(claim), limit(100_000));

        // Then
        assertThat(Hardware.devices(again)).containsExactly("d0");
        assertThat(millis).as("one evaluation is checked by its cost").hasValueGreaterThan(100);
    }

    @Test
    void interruptionEndsTheWholeDiagnosis() {
        var diagnoser = new Diagnoser(context(), limit(LIMIT_MILLIS));
        Claim claim = of(exactly(costly(), ExactRequest.EXACT_COUNT, null));
        var diagnosed = (DiagnosisResult.Diagnosed) diagnoser.diagnose(NODE, List.of(claim));

        assertThatExceptionOfType(EvaluationInterrupted.class)
                .isThrownBy(() -> diagnosed.diagnosis().judge(0, "r").toList());
        assertThat(millis).hasValueBetween(LIMIT_MILLIS, LIMIT_MILLIS + 10);
    }

    @Test
    void devicesWhoseSelectorsAreKnownAreCountedToo() {
        // Given
        Device[] devices =
                IntStream.range(0, 1_000).mapToObj(i -> device("d" + i)).toArray(Device[]::new);
        var allocator = new Allocator(AllocationContext.of(
                state(pool(List.of(), devices)), new Selectors(), options(GroupsGate.ON, GroupPolicy.SNAPSHOT)));
        Claim all = of(exactly(List.of(), ExactRequest.ALL, null));
        assertThat(allocator.allocate(NODE, List.of(all))).isInstanceOf(Outcome.Failed.class);

        // When
        allocator.allocate(NODE, List.of(all), limit(100_000));

        // Then
        assertThat(millis).as("one in 64 devices").hasValueBetween(10, 30);
    }

    @Test
    void combinationsOfDevicesAreCountedToo() {
        // Given
        Device[] partitions = IntStream.range(0, 31)
                .mapToObj(i -> device("d" + i, on("gpu", 1)))
                .toArray(Device[]::new);
        var allocator = new Allocator(AllocationContext.of(
                state(pool(List.of(counters("gpu", 31)), partitions)),
                new Selectors(),
                options(GroupsGate.ON, GroupPolicy.SNAPSHOT)));
        Claim tooMany = claim("c", Hardware.request("r", "true", 32));
        assertThat(allocator.allocate(NODE, List.of(tooMany))).isEqualTo(new Outcome.None());

        // When
        allocator.allocate(NODE, List.of(tooMany), limit(100_000), 0);

        // Then
        assertThat(millis).as("one in 64 combinations, of 496").hasValueBetween(8, 16);
    }
}
