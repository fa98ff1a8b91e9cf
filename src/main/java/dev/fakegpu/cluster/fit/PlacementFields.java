package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinity;
import io.fabric8.kubernetes.api.model.PodAntiAffinity;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Fields of pods that restrict where kube-scheduler places them and that the companion does not support. A scheduler that ignores them may
 * place a pod where kube-scheduler never would. Preferences are not included, because they allow any node.
 *
 * <p>Upstream: the filters of {@code pkg/scheduler/framework/plugins} that are enabled by default in Kubernetes 1.37.
 */
public final class PlacementFields {

    /** The code of the refusal, for programs. */
    public static final String CODE = "PlacementNotSupported";

    /** By path, a test whether a pod uses the field. */
    private static final List<Map.Entry<String, Predicate<PodSpec>>> ALL = List.of(
            Map.entry("spec.affinity.podAffinity", PlacementFields::hasPodAffinity),
            Map.entry("spec.affinity.podAntiAffinity", PlacementFields::hasPodAntiAffinity),
            Map.entry("spec.topologySpreadConstraints", PlacementFields::hasToSpread),
            volume("persistentVolumeClaim", Volume::getPersistentVolumeClaim),
            volume("ephemeral", Volume::getEphemeral),
            // Upstream: needsRestrictionsCheck of volume_restrictions.go, and IsInlineMigratable, whose volumes csi.go
            // counts.
            volume("awsElasticBlockStore", Volume::getAwsElasticBlockStore),
            volume("azureDisk", Volume::getAzureDisk),
            volume("azureFile", Volume::getAzureFile),
            volume("cinder", Volume::getCinder),
            volume("gcePersistentDisk", Volume::getGcePersistentDisk),
            volume("iscsi", Volume::getIscsi),
            volume("portworxVolume", Volume::getPortworxVolume),
            volume("rbd", Volume::getRbd),
            volume("vsphereVolume", Volume::getVsphereVolume));

    private static Map.Entry<String, Predicate<PodSpec>> volume(String type, Function<Volume, @Nullable Object> field) {
        return Map.entry(
                "spec.volumes." + type,
                spec -> spec.getVolumes().stream().anyMatch(volume -> field.apply(volume) != null));
    }

    /** Fields that {@link OtherPodsFit} evaluates. */
    private static final Set<String> OF_OTHER_PODS =
            Set.of("spec.affinity.podAffinity", "spec.affinity.podAntiAffinity", "spec.topologySpreadConstraints");

    private PlacementFields() {}

    /**
     * Why the companion does not place a pod; empty if none of its fields prevents that.
     *
     * @param setting how the companion treats such pods
     */
    public static Optional<String> refusal(Pod pod, UnsupportedFields setting) {
        List<String> fields = of(pod);
        Optional<String> refusal = fields.isEmpty()
                ? Optional.empty()
                : Optional.of("the companion does not take " + listed(fields) + " into account");
        return refusal.filter(ignored -> setting == UnsupportedFields.REFUSE && !PodState.isBound(pod))
                .map(text -> text + "; use kube-scheduler for such pods, or set " + UnsupportedFields.SETTING
                        + " to Ignore");
    }

    /** The paths of the fields that the pod uses. */
    public static List<String> of(Pod pod) {
        return ALL.stream()
                .filter(field -> field.getValue().test(pod.getSpec()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The paths of the fields that the pod uses and that a simulation of kube-scheduler ignores. */
    public static List<String> ignoredBySimulation(Pod pod) {
        return of(pod).stream().filter(field -> !OF_OTHER_PODS.contains(field)).toList();
    }

    /** Joins the paths, as in {@code a, b and c}. */
    public static String listed(List<String> fields) {
        int last = fields.size() - 1;
        return last < 1
                ? String.join("", fields)
                : String.join(", ", fields.subList(0, last)) + " and " + fields.get(last);
    }

    private static boolean hasPodAffinity(PodSpec spec) {
        return Optional.ofNullable(spec.getAffinity())
                .map(Affinity::getPodAffinity)
                .map(PodAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
                .filter(terms -> !terms.isEmpty())
                .isPresent();
    }

    private static boolean hasPodAntiAffinity(PodSpec spec) {
        return Optional.ofNullable(spec.getAffinity())
                .map(Affinity::getPodAntiAffinity)
                .map(PodAntiAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
                .filter(terms -> !terms.isEmpty())
                .isPresent();
    }

    private static boolean hasToSpread(PodSpec spec) {
        return spec.getTopologySpreadConstraints().stream()
                .anyMatch(constraint -> !"ScheduleAnyway".equals(constraint.getWhenUnsatisfiable()));
    }
}
