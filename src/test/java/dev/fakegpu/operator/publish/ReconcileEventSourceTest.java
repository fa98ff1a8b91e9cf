package dev.fakegpu.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReconcileEventSourceTest {

    private final List<Event> events = new ArrayList<>();
    private final ReconcileEventSource source = new ReconcileEventSource();

    /** {@code ResourceStateManager.getOrCreateOnResourceEvent} learns of objects by such events only. */
    @Test
    void missedFakeGpuIsReportedAsUpdated() {
        source.setEventHandler(events::add);
        source.start();

        source.propagateUpdate(fakeGpu());

        assertThat(events).singleElement().isInstanceOfSatisfying(ResourceEvent.class, event -> {
            assertThat(event.getRelatedCustomResourceID()).isEqualTo(new ResourceID("missed"));
            assertThat(event.getResource()).isPresent();
        });
    }

    @Test
    void nothingIsReportedBeforeTheFrameworkListens() {
        source.setEventHandler(events::add);

        source.propagateUpdate(fakeGpu());

        assertThat(events).isEmpty();
    }

    private static FakeGpu fakeGpu() {
        var fakeGpu = new FakeGpu();
        fakeGpu.setMetadata(new ObjectMetaBuilder().withName("missed").build());
        return fakeGpu;
    }
}
