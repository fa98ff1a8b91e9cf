package dev.fakegpu.engine.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShareIdsTest {

    /** The API requires a {@code types.UID}; upstream uses random ones. */
    @Test
    void areRandomUuidsAndNeverTwiceTheSame() {
        Supplier<String> ids = ShareIds.random();

        assertThat(Stream.generate(ids).limit(1_000)).doesNotHaveDuplicates().allSatisfy(id -> {
            UUID uuid = UUID.fromString(id);
            assertThat(uuid.version()).isEqualTo(4);
            assertThat(uuid.variant()).isEqualTo(2);
        });
    }
}
