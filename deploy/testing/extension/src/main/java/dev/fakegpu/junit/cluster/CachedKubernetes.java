package dev.fakegpu.junit.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The cached programs of Kubernetes, as {@code hack/control-plane binaries} stores them. */
final class CachedKubernetes implements KubernetesSource {

    private final Path cache;

    CachedKubernetes(Path cache) {
        this.cache = cache;
    }

    @Override
    public String name() {
        return "programs";
    }

    @Override
    public Optional<Kubernetes> start(ClusterSettings settings, List<String> why) {
        Path programs = cache.resolve("k8s").resolve(settings.version());
        List<String> missing = Stream.concat(
                        Stream.of("etcd", "kube-apiserver", "kube-controller-manager"),
                        settings.hasScheduler() ? Stream.of("kube-scheduler") : Stream.empty())
                .filter(program -> !Files.isExecutable(programs.resolve(program)))
                .toList();
        if (missing.isEmpty()) {
            return Optional.of(LocalKubernetes.start(programs, settings));
        }
        why.add(
                "put %s of Kubernetes %s into %s; in a clone of fakegpu-operator, hack/control-plane binaries --version %s does that"
                        .formatted(String.join(", ", missing), settings.version(), programs, settings.version()));
        return Optional.empty();
    }
}
