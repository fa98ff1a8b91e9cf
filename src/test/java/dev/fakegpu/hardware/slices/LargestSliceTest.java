package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Limits;
import org.junit.jupiter.api.Test;

/**
 * Tests the sizes of the largest slices in KEP-5234, "Limits". They are those of the protobuf encoding of the slice in the tests of
 * Kubernetes 1.33 ({@code NewMaxResourceSlice} in {@code test/integration/dra/objects.go}): names of 63 letters, one counter for each
 * counter set and consumption, 32 attributes, 4 taints and a node name of 253 letters for each of 128 devices.
 */
class LargestSliceTest {

    /** The number in the KEP with 32 counters and 1024 consumed counters, as in 1.33. */
    private static final int BEFORE = 1_107_864;

    /** The number in the KEP with 256 counters and 2048 consumed counters. */
    private static final int AFTER = 1_288_825;

    /** The name, 10 labels and 10 annotations. */
    private static final int METADATA = 8_037;

    private static final int ETCD = 1_536 * 1024;

    private static final int DEVICES = Limits.DEVICES;

    private static final int LABEL = field(Limits.LABEL);

    @Test
    void theNumbersOfTheKepAreThoseOfItsLimitsWithoutAnyMixin() {
        int before = spec(32, 1_024 / DEVICES, 32, 0);
        int after = spec(256, 2_048 / DEVICES, 32, 0);

        assertThat(before).isEqualTo(1_092_986);
        assertThat(after).isEqualTo(1_273_946);
        // The rest is added by an API server: managed fields with the names of labels and annotations, the UID, the
        // time and the version.
        assertThat(BEFORE - before - METADATA).isEqualTo(6_841);
        assertThat(AFTER - after - METADATA).isEqualTo(6_842);
    }

    /**
     * No limit includes the names of mixins, and each object may have eight. Eight mixins of each kind with one entry are within the limits
     * of 256 counters, 1,928 consumed counters, and 32 attributes for each device, regardless of their size.
     */
    @Test
    void withIncludesASliceWithinTheLimitsIsTooLargeForEtcd() {
        assertThat(spec(256 - 8, 15, 32 - 8, Limits.INCLUDES))
                .isEqualTo(2_276_242)
                .isGreaterThan(ETCD);
    }

    /**
     * @param consumptions the number for each device
     * @param attributes the number for each device
     * @param includes the number for each device, counter set and consumption
     */
    private static int spec(int counterSets, int consumptions, int attributes, int includes) {
        int pool = field(253) + number(9) + number(9);
        int set = LABEL + counter() + includes * LABEL;
        return LABEL
                + field(pool)
                + number(1)
                + counterSets * field(set)
                + DEVICES * field(device(consumptions, attributes, includes));
    }

    private static int device(int consumptions, int attributes, int includes) {
        int attribute = field(field(63 + 1 + 32) + field(LABEL));
        int taint = field(249 + 5 + 63) + LABEL + field("NoSchedule".length()) + field(number(5) + number(1));
        int consumption = LABEL + counter() + includes * LABEL;
        return LABEL
                + attributes * attribute
                + consumptions * field(consumption)
                + field(253)
                + 4 * field(taint)
                + includes * LABEL;
    }

    /** The size of a map entry with {@code value: 80Gi}. */
    private static int counter() {
        return field(LABEL + field(field(field("80Gi".length()))));
    }

    /** The size of a field: a tag, the number of bytes, and the bytes. */
    private static int field(int bytes) {
        int length = 1;
        for (int rest = bytes >> 7; rest > 0; rest >>= 7) {
            length++;
        }
        return 1 + length + bytes;
    }

    private static int number(int bytes) {
        return 1 + bytes;
    }
}
