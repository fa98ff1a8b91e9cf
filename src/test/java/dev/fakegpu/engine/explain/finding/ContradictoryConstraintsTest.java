package dev.fakegpu.engine.explain.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceConstraint;
import dev.fakegpu.dra.DeviceRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContradictoryConstraintsTest {

    private static final String NUMA = "gpu.example.com/numa";

    @Test
    void devicesCannotBothAgreeAndDiffer() {
        assertThat(ContradictoryConstraints.of(List.of(claim(2, match(NUMA), distinct(NUMA, "a")))))
                .hasValueSatisfying(found -> assertThat(found.attribute()).isEqualTo(NUMA));
        assertThat(ContradictoryConstraints.of(List.of(claim(1, match(NUMA), distinct(NUMA, "a", "b")))))
                .isPresent();
    }

    @Test
    void thereIsNoContradictionInOneDeviceOrInDifferentAttributes() {
        assertThat(ContradictoryConstraints.of(List.of(claim(1, match(NUMA), distinct(NUMA, "a")))))
                .isEmpty();
        assertThat(ContradictoryConstraints.of(List.of(claim(2, match(NUMA), distinct("gpu.example.com/root", "a")))))
                .isEmpty();
        assertThat(ContradictoryConstraints.of(List.of(claim(2, match(NUMA, "b"), distinct(NUMA, "a")))))
                .isEmpty();
    }

    /** A claim with a request {@code a} for {@code count} devices and a request {@code b} for one. */
    private static Claim claim(long count, DeviceConstraint... constraints) {
        return new Claim(
                new ClaimRef("ns", "c", "uid"),
                List.of(
                        DeviceRequest.exactly("a", "gpu", List.of(), count, List.of()),
                        DeviceRequest.exactly("b", "gpu", List.of(), 1, List.of())),
                List.of(constraints),
                List.of());
    }

    private static DeviceConstraint match(String attribute, String... requests) {
        return new DeviceConstraint(List.of(requests), attribute, null);
    }

    private static DeviceConstraint distinct(String attribute, String... requests) {
        return new DeviceConstraint(List.of(requests), null, attribute);
    }
}
