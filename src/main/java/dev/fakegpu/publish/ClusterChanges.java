package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.ResourceAction;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceEvent;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;

/** Has FakeGpus reconciled because of what changed elsewhere in the cluster. */
final class ClusterChanges extends SimpleInboundEventSource<FakeGpu> {

    ClusterChanges() {
        super("cluster");
    }

    /**
     * As if the FakeGpu itself had changed. The operator framework ignores any other event about an object whose creation it has
     * missed.
     */
    void propagateAsItsOwn(FakeGpu fakeGpu) {
        if (isRunning()) {
            getEventHandler()
                    .handleEvent(new ResourceEvent(ResourceAction.UPDATED, ResourceID.fromResource(fakeGpu), fakeGpu));
        }
    }
}
