package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What follows from what could not be read. */
final class Blind {

    private static final Map<ObjectKind, String> CONSEQUENCES = new EnumMap<>(Map.of(
            ObjectKind.SLICES, "which devices there are is not known",
            ObjectKind.CLASSES, "which devices the requests are for is not known",
            ObjectKind.NODES, "which nodes there are, and which of them fit, is not known",
            ObjectKind.CLAIMS, "holders in other namespaces are not named, and their devices count as free",
            ObjectKind.PODS,
                    "pods of other namespaces are not named, and neither their place in the queue nor what they request of"
                            + " nodes counts",
            ObjectKind.TAINT_RULES, "taints of DeviceTaintRules do not count",
            ObjectKind.FAKE_GPUS, "why FakeGpus publish fewer devices than expected is not said",
            ObjectKind.CLAIM_TEMPLATES, "whether templates exist is not said",
            ObjectKind.QUOTAS, "whether a quota forbids claims is not said",
            ObjectKind.NAMESPACES,
                    "a label of the namespace that lets claims be allocated without a pod does not count"));

    private static final Map<ObjectKind, String> CONSEQUENCES_IN_ITS_NAMESPACE = new EnumMap<>(Map.of(
            ObjectKind.CLAIMS,
            "whether the claims of its pods exist, and which devices its claims hold or wait for, is not known",
            ObjectKind.PODS,
            "which of its pods wait for devices is not known, and its claims are explained as if no pod used them"));

    /** What matters to objects of the same namespace only. */
    private static final Set<ObjectKind> OF_ITS_NAMESPACE = EnumSet.of(ObjectKind.CLAIM_TEMPLATES, ObjectKind.QUOTAS);

    private Blind() {}

    /** The facts that matter to explanations of a namespace. */
    static List<Unseen> of(ClusterObjects objects) {
        return objects.unseen().stream()
                .filter(unseen -> unseen.cause() == Unseen.Cause.FORBIDDEN)
                .filter(unseen -> CONSEQUENCES.containsKey(unseen.kind()))
                .filter(unseen -> !OF_ITS_NAMESPACE.contains(unseen.kind()) || unseen.namespace() != null)
                .toList();
    }

    static String consequence(Unseen unseen) {
        String anywhere = CONSEQUENCES.getOrDefault(unseen.kind(), "");
        return unseen.namespace() == null
                ? anywhere
                : CONSEQUENCES_IN_ITS_NAMESPACE.getOrDefault(unseen.kind(), anywhere);
    }
}
