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

/** Changes of a cluster that are not made: what {@link WhatIf} is asked about. Not thread-safe. */
public final class Changes {

    private final List<JsonNode> applied = new ArrayList<>();
    private final List<Pod> removed = new ArrayList<>();
    private final List<Pod> evicted = new ArrayList<>();
    private final List<ResourceClaim> released = new ArrayList<>();
    private final List<ResourceClaim> tolerant = new ArrayList<>();
    private final List<HasMetadata> awaited = new ArrayList<>();

    /** Creates objects or changes those of the same name, in this order. */
    public Changes apply(List<? extends JsonNode> objects) {
        applied.addAll(objects);
        return this;
    }

    /** Removes a pod and its claims; claims of others are released if no other pod uses them. */
    public Changes remove(Pod pod) {
        removed.add(pod);
        return this;
    }

    /** Takes a pod off its node and its devices from it, and creates it again after everything else. */
    public Changes evict(Pod pod) {
        evicted.add(pod);
        return this;
    }

    /** Releases the devices of a claim: the pods that run with it are removed, and so is the claim if no other pod waits for it. */
    public Changes release(ResourceClaim claim) {
        released.add(claim);
        return this;
    }

    /** Lets all requests of a claim tolerate a taint. */
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

    /** Asks about a pod or claim that waits. */
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

    /** The claims that tolerate more than they do now. */
    public List<ResourceClaim> tolerant() {
        return tolerant;
    }

    /** The pods and claims that wait now and are asked about. */
    public List<HasMetadata> awaited() {
        return awaited;
    }
}
