package dev.fakegpu.junit;

import dev.fakegpu.junit.cluster.Wait;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.Assertions;

/** Assertions about a ResourceClaim. All assertions wait; if one fails, the message says why the claim is not allocated. */
public final class GpuClaimAssert extends AbstractAssert<GpuClaimAssert, ResourceClaim> {

    private final ObservedObjects objects;

    GpuClaimAssert(ResourceClaim claim, ObservedObjects objects) {
        super(claim, GpuClaimAssert.class);
        this.objects = objects;
    }

    /** Asserts that the claim has devices. */
    public GpuClaimAssert isAllocated() {
        return becomes("to be allocated", HeldDevice::isAllocated);
    }

    /** Asserts that the claim exists and has no devices, or no longer has any. */
    public GpuClaimAssert isReleased() {
        return becomes("to be released", claim -> !HeldDevice.isAllocated(claim));
    }

    /**
     * Asserts that the claim holds exactly these devices.
     *
     * @param devices the names of devices, such as {@code gpu-0-mig-1g10gb-19-0}, or {@code pool/device}, in any order
     */
    public GpuClaimAssert holds(String... devices) {
        List<String> expected = Arrays.asList(devices);
        return becomes("to hold " + expected, claim -> HeldDevice.areNamed(HeldDevice.of(claim), expected));
    }

    /** Asserts that all devices of the claim are prepared on the node of a pod that uses it. */
    public GpuClaimAssert isPrepared() {
        return becomes("to be prepared", HeldDevice::arePrepared);
    }

    /** Asserts that the claim is reserved for a pod, and possibly for others. */
    public GpuClaimAssert isReservedFor(String pod) {
        return becomes(
                "to be reserved for " + pod,
                claim -> claim.getStatus() != null
                        && claim.getStatus().getReservedFor().stream()
                                .anyMatch(consumer -> pod.equals(consumer.getName())));
    }

    /** Asserts that the claim, which is allocated without a pod (label {@code fakegpu.dev/allocate}), is not allocated for this reason. */
    public GpuClaimAssert isRefusedBecause(RefusalReason reason) {
        return becomes(
                "to be refused because " + reason.code(),
                claim -> !HeldDevice.isAllocated(claim)
                        && objects.refusal(claim)
                                .filter(refusal -> refusal.code().equals(reason.code()))
                                .isPresent());
    }

    /** Returns an assertion about the sentence that says why the claim, which is allocated without a pod, is refused. */
    public AbstractStringAssert<?> refusal() {
        becomes("to be refused", claim -> objects.refusal(claim).isPresent());
        ResourceClaim claim = objects.claim(actual);
        return Assertions.assertThat(objects.refusal(claim == null ? actual : claim)
                        .map(ObservedObjects.Refusal::sentence)
                        .orElse(""))
                .as("why claim %s is refused", name());
    }

    private GpuClaimAssert becomes(String expected, Predicate<ResourceClaim> condition) {
        isNotNull();
        boolean isSo = Wait.atMost(objects.patience()).until(() -> {
            ResourceClaim claim = objects.claim(actual);
            return claim != null && condition.test(claim);
        });
        if (!isSo) {
            failWithMessage(
                    "Expected claim %s %s within %d s, but it %s",
                    name(), expected, objects.patience().toSeconds(), state());
        }
        return this;
    }

    private String state() {
        ResourceClaim claim = objects.claim(actual);
        if (claim == null) {
            return "does not exist";
        }
        if (HeldDevice.isAllocated(claim)) {
            return "holds " + HeldDevice.of(claim);
        }
        return "is not allocated"
                + objects.refusal(claim)
                        .map(refusal -> ": " + refusal)
                        .orElse(", and nothing says why; the events of the pod that uses it may");
    }

    private String name() {
        return actual.getMetadata().getNamespace() + "/" + actual.getMetadata().getName();
    }
}
