package dev.fakegpu.kube.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EphemeralVolumeSource;
import io.fabric8.kubernetes.api.model.NamespaceSpec;
import io.fabric8.kubernetes.api.model.NamespaceStatus;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.util.Map;
import java.util.Set;

/**
 * Fields that do not affect decisions about devices. Before Jackson reads the first object of a kind, it introspects the types of all
 * fields recursively, most of them for volumes, probes and security. A command that reads a cluster once would spend more time on these
 * types than on the objects.
 */
final class UnusedFields {

    /** The fields by the type that has them. */
    static final Map<Class<?>, Set<String>> OF_TYPES = Map.ofEntries(
            Map.entry(ObjectMeta.class, Set.of("managedFields")),
            Map.entry(
                    PodSpec.class,
                    Set.of(
                            "dnsConfig",
                            "ephemeralContainers",
                            "hostAliases",
                            "imagePullSecrets",
                            "os",
                            "readinessGates",
                            "securityContext")),
            Map.entry(PodStatus.class, Set.of("ephemeralContainerStatuses", "hostIPs", "podIPs")),
            Map.entry(
                    ContainerStatus.class,
                    Set.of("allocatedResourcesStatus", "lastState", "state", "user", "volumeMounts")),
            Map.entry(
                    Container.class,
                    Set.of(
                            "envFrom",
                            "lifecycle",
                            "livenessProbe",
                            "readinessProbe",
                            "resizePolicy",
                            "restartPolicyRules",
                            "securityContext",
                            "startupProbe",
                            "volumeDevices",
                            "volumeMounts")),
            Map.entry(
                    Volume.class,
                    Set.of(
                            "cephfs",
                            "configMap",
                            "csi",
                            "downwardAPI",
                            "emptyDir",
                            "fc",
                            "flexVolume",
                            "flocker",
                            "gitRepo",
                            "glusterfs",
                            "hostPath",
                            "image",
                            "nfs",
                            "photonPersistentDisk",
                            "projected",
                            "quobyte",
                            "scaleIO",
                            "secret",
                            "storageos")),
            Map.entry(EphemeralVolumeSource.class, Set.of("volumeClaimTemplate")),
            Map.entry(EnvVar.class, Set.of("valueFrom")),
            Map.entry(NodeSpec.class, Set.of("configSource")),
            Map.entry(
                    NodeStatus.class,
                    Set.of(
                            "addresses",
                            "config",
                            "daemonEndpoints",
                            "features",
                            "images",
                            "nodeInfo",
                            "runtimeHandlers",
                            "volumesAttached")),
            Map.entry(NamespaceSpec.class, Set.of("finalizers")),
            Map.entry(NamespaceStatus.class, Set.of("conditions")),
            Map.entry(DeploymentSpec.class, Set.of("selector", "strategy")),
            Map.entry(DeploymentStatus.class, Set.of("conditions")));

    private UnusedFields() {}

    /** Makes the mapper skip these fields, whatever they contain. */
    static void skip(ObjectMapper mapper) {
        OF_TYPES.forEach((type, fields) ->
                mapper.configOverride(type).setIgnorals(JsonIgnoreProperties.Value.forIgnoredProperties(fields)));
    }
}
