package dev.fakegpu.e2e.plugin;

import io.fabric8.kubernetes.api.model.PodBuilder;

/** Pods with containers for nodes with a kubelet. */
final class ContainerPods {
    private ContainerPods() {}

    /**
     * A pod whose container gets the devices of a claim and runs until it is stopped.
     *
     * @param begin what the container does first, as lines of a shell script
     */
    static PodBuilder using(String claim, String namespace, String name, String image, String begin) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(1L)
                .addNewContainer()
                .withName("main")
                .withImage(image)
                .withCommand("sh", "-c", begin + "\ntrap 'exit 0' TERM; while :; do sleep 1; done")
                .withNewResources()
                .addNewClaim()
                .withName("gpu")
                .endClaim()
                .endResources()
                .endContainer()
                .addNewResourceClaim()
                .withName("gpu")
                .withResourceClaimName(claim)
                .endResourceClaim()
                .endSpec();
    }
}
