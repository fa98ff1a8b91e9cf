package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.junit.RefusalReason;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the reasons in the JUnit extension are those of the operator, in the same order. */
class RefusalReasonTest {

    @Test
    void hasEveryCodeExceptThatOfSuccess() {
        var codes = PendingReason.CODES.stream()
                .filter(code -> !code.equals(Reason.Allocatable.name()))
                .toList();

        assertThat(Stream.of(RefusalReason.values()).map(RefusalReason::code)).containsExactlyElementsOf(codes);
    }
}
