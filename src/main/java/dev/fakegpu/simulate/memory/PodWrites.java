package dev.fakegpu.simulate.memory;

import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

/** Applies requests that contain only a part of a pod. */
final class PodWrites {

    private PodWrites() {}

    /** The pod with the conditions, extended resources and nominated node of a patch. */
    static Pod merged(Pod stored, Pod patch) {
        var status = new PodBuilder(stored).editOrNewStatus();
        patch.getStatus()
                .getConditions()
                .forEach(condition -> status.removeMatchingFromConditions(
                                known -> condition.getType().equals(known.getType()))
                        .addToConditions(condition));
        if (patch.getStatus().getExtendedResourceClaimStatus() != null) {
            status.withExtendedResourceClaimStatus(patch.getStatus().getExtendedResourceClaimStatus());
        }
        if (patch.getStatus().getNominatedNodeName() != null) {
            status.withNominatedNodeName(patch.getStatus().getNominatedNodeName());
        }
        return status.endStatus().build();
    }

    static Pod bound(Pod stored, String node) {
        return new PodBuilder(stored)
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .editOrNewStatus()
                .removeMatchingFromConditions(condition -> PodState.POD_SCHEDULED.equals(condition.getType()))
                .addNewCondition()
                .withType(PodState.POD_SCHEDULED)
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }
}
