package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AllocatedAtTest {

    @Test
    void readsTheTimeOfAllocation() {
        assertThat(BindingConditions.allocatedAt(allocated("2026-01-01T00:00:00Z")))
                .contains(Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** The API server returns this for 9999-12-31T23:59:59-14:00. */
    @Test
    void timeWithAYearOfFiveDigitsIsUnknown() {
        assertThat(BindingConditions.allocatedAt(allocated("10000-01-01T13:59:59Z")))
                .isEmpty();
    }

    private static ResourceClaim allocated(String time) {
        return new ResourceClaimBuilder()
                .withNewStatus()
                .withNewAllocation()
                .withAllocationTimestamp(time)
                .endAllocation()
                .endStatus()
                .build();
    }
}
