package dev.fakegpu.operator.publish;

import static dev.fakegpu.testing.TestObjects.fakeGpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReconcileEventSourceTest {

    private final List<Event> events = new ArrayList<>();
    private final ReconcileEventSource source = new ReconcileEventSource();

    /** {@code ResourceStateManager.getOrCreateOnResourceEvent} learns of objects only through such events. */
    @Test
    void missedFakeGpuIsReportedAsUpdated() {
        source.setEventHandler(events::add);
        source.start();

        source.propagateUpdate(fakeGpu("{name: missed}"));

        assertThat(events).singleElement().isInstanceOfSatisfying(ResourceEvent.class, event -> {
            assertThat(event.getRelatedCustomResourceID()).isEqualTo(new ResourceID("missed"));
            assertThat(event.getResource()).isPresent();
        });
    }

    @Test
    void nothingIsReportedBeforeTheFrameworkListens() {
        source.setEventHandler(events::add);

        source.propagateUpdate(fakeGpu("{name: missed}"));

        assertThat(events).isEmpty();
    }
}
