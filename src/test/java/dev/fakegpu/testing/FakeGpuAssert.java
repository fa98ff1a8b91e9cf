package dev.fakegpu.testing;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuStatus;
import org.assertj.core.api.AbstractAssert;

/** Assertions about the status of a FakeGpu. */
public final class FakeGpuAssert extends AbstractAssert<FakeGpuAssert, FakeGpu> {

    FakeGpuAssert(FakeGpu fakeGpu) {
        super(fakeGpu, FakeGpuAssert.class);
    }

    /** Asserts that the status is about the stored spec, and not about an earlier one. */
    public FakeGpuAssert isUpToDate() {
        if (!actual.getMetadata().getGeneration().equals(status().observedGeneration())) {
            failWithMessage(
                    "Expected the status of FakeGpu %s to be about generation %s, but it is about %s",
                    actual.getMetadata().getName(),
                    actual.getMetadata().getGeneration(),
                    status().observedGeneration());
        }
        return this;
    }

    /** Asserts that the status is about the stored spec, and the condition {@code Ready} is true. */
    public FakeGpuAssert isReady() {
        isUpToDate();
        condition("Ready").isTrue();
        return this;
    }

    /** Returns an assertion about one condition, which must exist. */
    public ConditionAssert condition(String type) {
        return conditions().condition(type);
    }

    public ConditionsAssert conditions() {
        return FakeGpuAssertions.assertThatConditions(status().conditions())
                .as("conditions of FakeGpu %s", actual.getMetadata().getName());
    }

    /** @param allocated the number of devices that claims hold */
    public FakeGpuAssert hasTotals(int nodes, int gpus, int devices, int allocated) {
        var expected = new FakeGpuStatus.Totals(nodes, gpus, devices, allocated);
        if (!expected.equals(status().totals())) {
            failWithActualExpectedAndMessage(
                    status().totals(),
                    expected,
                    "Expected totals of FakeGpu %s",
                    actual.getMetadata().getName());
        }
        return this;
    }

    private FakeGpuStatus status() {
        isNotNull();
        if (actual.getStatus() == null) {
            failWithMessage(
                    "Expected FakeGpu %s to have a status", actual.getMetadata().getName());
        }
        return actual.getStatus();
    }
}
