package dev.fakegpu.junit.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A source of control planes. */
interface KubernetesSource {

    /** The name for {@link Option#SOURCE}. */
    String name();

    /**
     * Starts a control plane or finds one; it may not be ready yet.
     *
     * @param why if there is none, the reason and what would help are added
     */
    Optional<Kubernetes> start(ClusterSettings settings, List<String> why);

    /** All sources, in the order in which they are tried. */
    static List<KubernetesSource> all() {
        return List.of(
                new GivenKubernetes(Option.KUBECONFIG.value()),
                new CachedKubernetes(Cache.directory()),
                new KubernetesInContainers());
    }

    /**
     * Starts a control plane from the first source that has one.
     *
     * @param only the name of the only source to try
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
