package dev.fakegpu.junit.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where control planes come from. */
interface KubernetesSource {

    /**
     * Starts a control plane, or finds one.
     *
     * @param why takes the reason if there is none, and what would help
     */
    Optional<Kubernetes> start(ClusterSettings settings, List<String> why);

    /** The first that there is of a given cluster and the programs in the cache. */
    static Kubernetes startFirst(ClusterSettings settings) {
        var why = new ArrayList<String>();
        return Stream.of(new GivenKubernetes(System.getenv()), new CachedKubernetes(Cache.directory()))
                .flatMap(source -> source.start(settings, why).stream())
                .findFirst()
                .orElseThrow(() -> new ClusterException("there is no Kubernetes " + settings.version()
                        + " for this test. One of these helps:\n- " + String.join("\n- ", why)));
    }
}
