package dev.fakegpu.cluster.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.DeviceTaint;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTolerationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Hypothetical changes of a cluster: the input of {@link WhatIf}. Not thread-safe. */
public final class Changes {

    private final List<JsonNode> applied = new ArrayList<>();
    private final List<Pod> removed = new ArrayList<>();
    private final List<Pod> evicted = new ArrayList<>();
    private final List<ResourceClaim> released = new ArrayList<>();
    private final List<ResourceClaim> tolerant = new ArrayList<>();
    private final List<HasMetadata> awaited = new ArrayList<>();

    /** Creates objects, or changes those with the same name, in this order. */
    public Changes apply(List<? extends JsonNode> objects) {
        applied.addAll(objects);
        return this;
    }

    /** Removes a pod and its own claims; other claims are released if no other pod uses them. */
    public Changes remove(Pod pod) {
        removed.add(pod);
        return this;
    }

    /** Evicts a pod, which loses its devices, and creates it again after everything else. */
    public Changes evict(Pod pod) {
        evicted.add(pod);
        return this;
    }

    /** Releases the devices of a claim: removes the pods that run with it, and the claim if no other pod waits for it. */
    public Changes release(ResourceClaim claim) {
        released.add(claim);
        return this;
    }

    /** Makes all requests of a claim tolerate a taint. */
    public Changes tolerate(ResourceClaim claim, DeviceTaint taint) {
        DeviceToleration toleration = new DeviceTolerationBuilder()
                .withKey(taint.key())
                .withOperator("Equal")
                .withValue(taint.value())
                .withEffect(taint.effect())
                .build();
        ResourceClaim copy = new ResourceClaimBuilder(claim).build();
        copy.getSpec().getDevices().getRequests().forEach(request -> {
            if (request.getExactly() != null) {
                request.getExactly().setTolerations(with(request.getExactly().getTolerations(), toleration));
            }
            request.getFirstAvailable().forEach(sub -> sub.setTolerations(with(sub.getTolerations(), toleration)));
        });
        tolerant.add(copy);
        return this;
    }

    private static List<DeviceToleration> with(List<DeviceToleration> known, DeviceToleration more) {
        return Stream.concat(known.stream(), Stream.of(more)).toList();
    }

    /** Includes a waiting pod or claim in the question. */
    public Changes await(HasMetadata waiting) {
        awaited.add(waiting);
        return this;
    }

    public List<JsonNode> applied() {
        return applied;
    }

    public List<Pod> removed() {
        return removed;
    }

    public List<Pod> evicted() {
        return evicted;
    }

    public List<ResourceClaim> released() {
        return released;
    }

    /** The claims with additional tolerations. */
    public List<ResourceClaim> tolerant() {
        return tolerant;
    }

    /** The waiting pods and claims that are included in the question. */
    public List<HasMetadata> awaited() {
        return awaited;
    }
}
