package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;

/** Owner references to FakeGpus: the garbage collector removes what a FakeGpu created even if the operator no longer runs. */
final class OwnerReferences {
    private OwnerReferences() {}

    /** A reference to the FakeGpu as the controller of the object that has it. */
    static OwnerReference to(FakeGpu fakeGpu) {
        return new OwnerReferenceBuilder()
                .withApiVersion(fakeGpu.getApiVersion())
                .withKind(fakeGpu.getKind())
                .withName(fakeGpu.getMetadata().getName())
                .withUid(fakeGpu.getMetadata().getUid())
                .withController(true)
                .build();
    }
}
