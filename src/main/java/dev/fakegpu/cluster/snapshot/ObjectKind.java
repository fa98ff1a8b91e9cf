package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.kube.manifest.PodGroup;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Arrays;
import java.util.Optional;

/** The kinds of objects in a snapshot. */
public enum ObjectKind {
    SLICES("resourceslices.resource.k8s.io", ResourceSlice.class, Scope.CLUSTER, Use.ONLY_READABLE),
    CLASSES("deviceclasses.resource.k8s.io", DeviceClass.class, Scope.CLUSTER, Use.ONLY_READABLE),
    CLAIMS("resourceclaims.resource.k8s.io", ResourceClaim.class, Scope.NAMESPACED, Use.ALL),
    CLAIM_TEMPLATES(
            "resourceclaimtemplates.resource.k8s.io", ResourceClaimTemplate.class, Scope.NAMESPACED, Use.ONLY_READABLE),
    TAINT_RULES("devicetaintrules.resource.k8s.io", DeviceTaintRule.class, Scope.CLUSTER, Use.ONLY_READABLE),
    PODS("pods", Pod.class, Scope.NAMESPACED, Use.ALL),
    POD_GROUPS("podgroups.scheduling.k8s.io", PodGroup.class, Scope.NAMESPACED, Use.ONLY_READABLE),
    DISRUPTION_BUDGETS("poddisruptionbudgets.policy", PodDisruptionBudget.class, Scope.NAMESPACED, Use.ONLY_READABLE),
    QUOTAS("resourcequotas", ResourceQuota.class, Scope.NAMESPACED, Use.ONLY_READABLE),
    LIMIT_RANGES("limitranges", LimitRange.class, Scope.NAMESPACED, Use.ONLY_READABLE),
    NODES("nodes", Node.class, Scope.CLUSTER, Use.ALL),
    NAMESPACES("namespaces", Namespace.class, Scope.CLUSTER, Use.ALL),
    FAKE_GPUS("fakegpus.fakegpu.dev", FakeGpu.class, Scope.CLUSTER, Use.ONLY_READABLE),
    /** Only the operator's ConfigMap, by name. */
    SETTINGS("configmaps", ConfigMap.class, Scope.NAMESPACED, Use.ONLY_READABLE),
    /** Only the operator's own, by name. */
    OPERATOR("deployments.apps", Deployment.class, Scope.NAMESPACED, Use.ONLY_READABLE);

    private enum Scope {
        CLUSTER,
        NAMESPACED
    }

    /** What to do with an object that has unreadable fields: it is kept if others depend on it, such as a pod that counts on its node. */
    private enum Use {
        ALL,
        ONLY_READABLE
    }

    private final String resource;
    private final Class<? extends HasMetadata> type;
    private final Scope scope;
    private final Use use;

    ObjectKind(String resource, Class<? extends HasMetadata> type, Scope scope, Use use) {
        this.resource = resource;
        this.type = type;
        this.scope = scope;
        this.use = use;
    }

    /** The kind of an object; empty if it is not part of snapshots. */
    public static Optional<ObjectKind> of(HasMetadata object) {
        return Arrays.stream(values())
                .filter(kind -> kind.type.isInstance(object))
                .findFirst();
    }

    /** The name in {@code kubectl} and RBAC: the plural, and the group if there is one. */
    public String resource() {
        return resource;
    }

    public Class<? extends HasMetadata> type() {
        return type;
    }

    public boolean isNamespaced() {
        return scope == Scope.NAMESPACED;
    }

    boolean keepsUnreadable() {
        return use == Use.ALL;
    }
}
