package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The consequences of what could not be read. */
final class Blind {

    private static final Map<ObjectKind, String> CONSEQUENCES = new EnumMap<>(Map.of(
            ObjectKind.SLICES, "the devices are unknown",
            ObjectKind.CLASSES, "the requested devices are unknown",
            ObjectKind.NODES, "the nodes, and which of them fit, are unknown",
            ObjectKind.CLAIMS, "holders in other namespaces are not named, and their devices count as free",
            ObjectKind.PODS,
                    "pods of other namespaces are not named, and their places in the queue and resource requests do not"
                            + " count",
            ObjectKind.TAINT_RULES, "taints of DeviceTaintRules do not count",
            ObjectKind.FAKE_GPUS, "it is not known why FakeGpus publish fewer devices than expected",
            ObjectKind.CLAIM_TEMPLATES, "it is not known whether templates exist",
            ObjectKind.QUOTAS, "it is not known whether a quota forbids claims",
            ObjectKind.NAMESPACES,
                    "a label of the namespace that lets claims be allocated without a pod does not count"));

    private static final Map<ObjectKind, String> CONSEQUENCES_IN_ITS_NAMESPACE = new EnumMap<>(Map.of(
            ObjectKind.CLAIMS,
            "it is not known whether the claims of its pods exist, and which devices its claims hold or wait for",
            ObjectKind.PODS,
            "it is not known which of its pods wait for devices, and its claims are explained as if no pod used them"));

    /** Kinds that matter only to objects in the same namespace. */
    private static final Set<ObjectKind> OF_ITS_NAMESPACE = EnumSet.of(ObjectKind.CLAIM_TEMPLATES, ObjectKind.QUOTAS);

    private Blind() {}

    /** What could not be read and matters to explanations in a namespace. */
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
