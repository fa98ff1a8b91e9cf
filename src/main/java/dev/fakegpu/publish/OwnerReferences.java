package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;

/** Ownership: what a FakeGpu made goes with it, also when the operator is gone. */
final class OwnerReferences {
    private OwnerReferences() {}

    static OwnerReference reference(FakeGpu fakeGpu) {
        return new OwnerReferenceBuilder()
                .withApiVersion(fakeGpu.getApiVersion())
                .withKind(fakeGpu.getKind())
                .withName(fakeGpu.getMetadata().getName())
                .withUid(fakeGpu.getMetadata().getUid())
                .withController(true)
                .build();
    }
}
