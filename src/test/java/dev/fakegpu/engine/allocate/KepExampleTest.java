package dev.fakegpu.engine.allocate;

import static dev.fakegpu.engine.allocate.Hardware.allocate;
import static dev.fakegpu.engine.allocate.Hardware.claimsFor;
import static dev.fakegpu.engine.allocate.Hardware.counters;
import static dev.fakegpu.engine.allocate.Hardware.device;
import static dev.fakegpu.engine.allocate.Hardware.devices;
import static dev.fakegpu.engine.allocate.Hardware.held;
import static dev.fakegpu.engine.allocate.Hardware.on;
import static dev.fakegpu.engine.allocate.Hardware.pool;
import static dev.fakegpu.engine.allocate.Hardware.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests example 4 of KEP-5963: all pairs and triples of its devices and of one without groups, in every order. */
class KepExampleTest {

    private static final List<Slice> SLICES = pool(
            List.of(counters("device-0-counters", 100)),
            device("foo", on("device-0-counters", 25, "foo", "foobar")),
            device("bar", on("device-0-counters", 25, "bar", "foobar")),
            device("baz", on("device-0-counters", 50, "baz")),
            device("plain", on("device-0-counters", 0)));

    /** Determined by hand: foo and bar share the group "foobar"; baz and the device without groups are incompatible with all others. */
    private static final Map<List<String>, Boolean> FIT_TOGETHER = Map.of(
            List.of("foo", "bar"), true,
            List.of("foo", "baz"), false,
            List.of("bar", "baz"), false,
            List.of("foo", "plain"), false,
            List.of("bar", "plain"), false,
            List.of("baz", "plain"), false,
            List.of("foo", "bar", "baz"), false,
            List.of("foo", "bar", "plain"), false,
            List.of("foo", "baz", "plain"), false,
            List.of("bar", "baz", "plain"), false);

    static Stream<Arguments> together() {
        return orders(order -> true);
    }

    static Stream<Arguments> afterPeersThatFit() {
        return orders(order -> {
            Set<String> before = Set.copyOf(order.subList(0, order.size() - 1));
            return before.size() == 1 || before.equals(Set.of("foo", "bar"));
        });
    }

    private static Stream<Arguments> orders(Predicate<List<String>> which) {
        return FIT_TOGETHER.entrySet().stream()
                .flatMap(row -> Hardware.permutations(row.getKey())
                        .filter(which)
                        .map(order -> Arguments.of(order, row.getValue())));
    }

    @ParameterizedTest
    @MethodSource("together")
    void claimsAreAllocatedTogetherIfTheyFit(List<String> order, boolean fits) {
        Outcome outcome = allocate(state(SLICES), GroupsGate.ON, GroupPolicy.SNAPSHOT, claimsFor(order));

        assertThat(devices(outcome)).isEqualTo(fits ? order : List.of("none"));
    }

    @ParameterizedTest
    @MethodSource("afterPeersThatFit")
    void lastClaimIsAllocatedIfItFitsBesideTheOthers(List<String> order, boolean fits) {
        List<String> before = order.subList(0, order.size() - 1);
        String last = order.get(order.size() - 1);
        AllocatedDevice[] held = before.stream().map(Hardware::held).toArray(AllocatedDevice[]::new);

        for (GroupPolicy policy : GroupPolicy.values()) {
            Outcome outcome = allocate(state(SLICES, held), GroupsGate.ON, policy, claimsFor(List.of(last)));

            assertThat(devices(outcome)).as("%s", policy).isEqualTo(List.of(fits ? last : "none"));
        }
    }

    @ParameterizedTest
    @MethodSource("together")
    void unawareSchedulerAllocatesAllClaims(List<String> order, boolean ignored) {
        Outcome outcome = allocate(state(SLICES), GroupsGate.UNAWARE, GroupPolicy.SNAPSHOT, claimsFor(order));

        assertThat(devices(outcome)).isEqualTo(order);
    }

    @ParameterizedTest
    @MethodSource("together")
    void disabledGateOmitsThePool(List<String> order, boolean ignored) {
        Outcome outcome = allocate(state(SLICES, held("foo")), GroupsGate.OFF, GroupPolicy.SNAPSHOT, claimsFor(order));

        assertThat(devices(outcome)).containsExactly("none");
    }
}
