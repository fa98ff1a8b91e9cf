package dev.fakegpu.engine.explain.finding;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fakegpu.engine.allocate.RequestError;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import org.junit.jupiter.api.Test;

class ReasonTest {

    @Test
    void everyRefusalAndErrorHasAReason() {
        for (Class<?> refusal : Refusal.class.getPermittedSubclasses()) {
            assertThatCode(() -> Reason.ofRefusal(refusal.asSubclass(Refusal.class)))
                    .as(refusal.getSimpleName())
                    .doesNotThrowAnyException();
        }
        for (Class<?> fault : RequestError.class.getPermittedSubclasses()) {
            assertThatCode(() -> Reason.ofFault(fault.asSubclass(RequestError.class)))
                    .as(fault.getSimpleName())
                    .doesNotThrowAnyException();
        }
    }
}
