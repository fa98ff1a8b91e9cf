package dev.fakegpu.testing;

import dev.fakegpu.api.FakeGpu;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;

/** Entry points for this project's assertions about API objects, for use together with those of {@code Assertions}. */
public final class FakeGpuAssertions {
    private FakeGpuAssertions() {}

    public static ClaimAssert assertThat(ResourceClaim claim) {
        return new ClaimAssert(claim);
    }

    public static PodAssert assertThat(Pod pod) {
        return new PodAssert(pod);
    }

    public static FakeGpuAssert assertThat(FakeGpu fakeGpu) {
        return new FakeGpuAssert(fakeGpu);
    }

    public static ConditionsAssert assertThatConditions(List<Condition> conditions) {
        return new ConditionsAssert(
                conditions.stream().map(ConditionsAssert.Entry::of).toList());
    }
}
