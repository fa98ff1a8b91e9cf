package dev.fakegpu.junit.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Where control planes come from. */
interface KubernetesSource {

    /** What {@link Option#SOURCE} calls it. */
    String name();

    /**
     * Begins to start a control plane, or finds one.
     *
     * @param why takes the reason if there is none, and what would help
     */
    Optional<Kubernetes> start(ClusterSettings settings, List<String> why);

    /** All of them, the first to be asked first. */
    static List<KubernetesSource> all() {
        return List.of(
                new GivenKubernetes(Option.KUBECONFIG.value()),
                new CachedKubernetes(Cache.directory()),
                new KubernetesInContainers());
    }

    /**
     * A control plane of the first source that has one.
     *
     * @param only the name of the only source that may be asked
     */
    static Kubernetes startFirst(ClusterSettings settings, List<KubernetesSource> sources, Optional<String> only) {
        var why = new ArrayList<String>();
        return chosen(sources, only).stream()
                .flatMap(source -> source.start(settings, why).stream())
                .findFirst()
                .orElseThrow(() -> new ClusterException("there is no Kubernetes " + settings.version()
                        + " for this test. " + (why.size() > 1 ? "One of these helps" : "This helps") + ":\n- "
                        + String.join("\n- ", why)));
    }

    private static List<KubernetesSource> chosen(List<KubernetesSource> sources, Optional<String> only) {
        if (only.isEmpty()) {
            return sources;
        }
        List<KubernetesSource> chosen = sources.stream()
                .filter(source -> source.name().equals(only.get()))
                .toList();
        if (chosen.isEmpty()) {
            throw new ClusterException("%s: \"%s\" is not allowed; allowed: %s"
                    .formatted(
                            Option.SOURCE.property(),
                            only.get(),
                            sources.stream().map(KubernetesSource::name).collect(Collectors.joining(", "))));
        }
        return chosen;
    }
}
