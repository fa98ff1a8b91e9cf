package dev.fakegpu.dashboard.server;

import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.OneGpu;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.util.List;

/** A cluster in memory with one GPU, which is used whole or as two parts of another group, and with objects that a test adds. */
final class SmallCluster extends LiveObjects {

    SmallCluster() {
        super(ClusterYaml.objects(OneGpu.CLUSTER));
    }

    /** Adds a pod {@code team/NAME} that has a device. */
    SmallCluster running(String name, String device) {
        return with(OneGpu.running(name, device));
    }

    /** Adds what the driver reports about the device of a claim. */
    SmallCluster prepared(String name, String device, String reason, String message) {
        ResourceClaim claim = objects().claim("team", name).orElseThrow();
        add(List.of(new ResourceClaimBuilder(claim)
                .editStatus()
                .addNewDevice()
                .withDriver("gpu.example.com")
                .withPool("node-1")
                .withDevice(device)
                .withConditions(new ConditionBuilder()
                        .withType("Ready")
                        .withStatus(reason.equals("Prepared") ? "True" : "False")
                        .withReason(reason)
                        .withMessage(message)
                        .build())
                .endDevice()
                .endStatus()
                .build()));
        return this;
    }

    /** Adds a pod {@code team/NAME} that requests a device of a class. */
    SmallCluster waiting(String name, String deviceClass) {
        return with(OneGpu.waiting(name, deviceClass));
    }

    private SmallCluster with(String yaml) {
        add(ClusterYaml.objects(yaml));
        return this;
    }

    void delete(String name) {
        change(objects()
                .without((HasMetadata object) -> object.getMetadata().getName().equals(name)));
    }
}
