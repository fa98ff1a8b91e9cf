package dev.fakegpu.operator.publish;

import dev.fakegpu.api.FakeGpu;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.ResourceAction;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceEvent;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;

/** Tells Java Operator SDK which FakeGpus to reconcile because another object in the cluster changed. */
final class ReconcileEventSource extends SimpleInboundEventSource<FakeGpu> {

    ReconcileEventSource() {
        super("cluster");
    }

    /**
     * Reconciles a FakeGpu as if it had been updated itself. The framework ignores all other kinds of events about an object whose creation
     * it missed; see {@link MissedEvents}.
     */
    void propagateUpdate(FakeGpu fakeGpu) {
        if (isRunning()) {
            getEventHandler()
                    .handleEvent(new ResourceEvent(ResourceAction.UPDATED, ResourceID.fromResource(fakeGpu), fakeGpu));
        }
    }
}
