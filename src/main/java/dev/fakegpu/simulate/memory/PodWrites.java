package dev.fakegpu.simulate.memory;

import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

/** What becomes of a pod by requests that say only a part of it. */
final class PodWrites {

    private PodWrites() {}

    /** The pod with the conditions of a patch, and what that says of extended resources and of a nominated node. */
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
