package dev.fakegpu.testing;

import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;

/** Assertions about the allocation and the reservations of a ResourceClaim. */
public final class ClaimAssert extends AbstractAssert<ClaimAssert, ResourceClaim> {

    ClaimAssert(ResourceClaim claim) {
        super(claim, ClaimAssert.class);
    }

    public ClaimAssert isAllocated() {
        isNotNull();
        if (!Allocations.isAllocated(actual)) {
            failWithMessage("Expected claim %s to be allocated, but its status is %s", name(), actual.getStatus());
        }
        return this;
    }

    public ClaimAssert isNotAllocated() {
        isNotNull();
        if (Allocations.isAllocated(actual)) {
            failWithMessage("Expected claim %s not to be allocated, but it holds %s", name(), devices());
        }
        return this;
    }

    /** @param devices the devices as {@code pool/device}, in the order of the results; without those that have admin access */
    public ClaimAssert holds(String... devices) {
        Assertions.assertThat(devices()).as("devices of claim %s", name()).containsExactly(devices);
        return this;
    }

    /** Asserts that the claim holds this number of devices. */
    public ClaimAssert holdsDevices(int count) {
        Assertions.assertThat(devices()).as("devices of claim %s", name()).hasSize(count);
        return this;
    }

    /** @param requests {@code request}, or {@code request/alternative}, in the order of the results */
    public ClaimAssert hasResultsFor(String... requests) {
        results().extracting(DeviceRequestAllocationResult::getRequest).containsExactly(requests);
        return this;
    }

    /** Returns an assertion about the results of the allocation; the list is empty if the claim is not allocated. */
    public ListAssert<DeviceRequestAllocationResult> results() {
        isNotNull();
        return Assertions.assertThat(Allocations.results(actual)).as("results of claim %s", name());
    }

    /** @param pods the names of all consumers, in any order */
    public ClaimAssert isReservedFor(String... pods) {
        reservedFor().containsExactlyInAnyOrder(pods);
        return this;
    }

    /** Returns an assertion about the names of the consumers for which the claim is reserved. */
    public ListAssert<String> reservedFor() {
        isNotNull();
        List<String> names = actual.getStatus() == null
                ? List.of()
                : actual.getStatus().getReservedFor().stream()
                        .map(ResourceClaimConsumerReference::getName)
                        .toList();
        return Assertions.assertThat(names).as("reservations of claim %s", name());
    }

    /** Asserts that the claim has the finalizer that schedulers add before they allocate. */
    public ClaimAssert isProtected() {
        Assertions.assertThat(actual.getMetadata().getFinalizers())
                .as("finalizers of claim %s", name())
                .contains("resource.kubernetes.io/delete-protection");
        return this;
    }

    public ClaimAssert isNotProtected() {
        Assertions.assertThat(actual.getMetadata().getFinalizers())
                .as("finalizers of claim %s", name())
                .doesNotContain("resource.kubernetes.io/delete-protection");
        return this;
    }

    /** Asserts that the claim has the annotation with the reason why the companion cannot allocate it. */
    public ClaimAssert hasNotAllocatedReason(String reasonAndSentence) {
        Assertions.assertThat(annotations())
                .as("annotations of claim %s", name())
                .containsEntry(Labels.NOT_ALLOCATED, reasonAndSentence);
        return this;
    }

    public ClaimAssert hasNoNotAllocatedReason() {
        Assertions.assertThat(annotations())
                .as("annotations of claim %s", name())
                .doesNotContainKey(Labels.NOT_ALLOCATED);
        return this;
    }

    private Map<String, String> annotations() {
        return Objects.requireNonNullElse(actual.getMetadata().getAnnotations(), Map.of());
    }

    private List<String> devices() {
        isNotNull();
        return Allocations.devices(actual).stream().map(ClaimAssert::describe).toList();
    }

    private static String describe(DeviceId device) {
        return device.pool() + "/" + device.device();
    }

    private String name() {
        return actual.getMetadata().getName();
    }
}
