package dev.fakegpu.operator.publish;

import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.Catalog.Addition;
import dev.fakegpu.hardware.catalog.Catalog.ReadFile;
import dev.fakegpu.hardware.catalog.Catalog.Rejected;
import dev.fakegpu.kube.watch.ObjectStore;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The current catalog: the built-in models and those that ConfigMaps add. An unusable file is reported once, in the log and to the
 * reporter; all other models remain usable.
 */
public final class LiveCatalog implements Supplier<Catalog> {

    private static final Logger LOG = Logger.getLogger(LiveCatalog.class);

    private final Catalog builtIn;
    private final ObjectStore<ConfigMap> files;
    private final BiConsumer<ConfigMap, String> reporter;
    private final Set<Rejected> reported = new HashSet<>();
    private volatile State state;

    /** A lock of its own: that of {@link #report} is held while an event is sent to an API server that may not respond. */
    private final Object reading = new Object();

    /** The catalog and, in order, the files from which it was read. */
    private record State(Map<Addition, ReadFile> files, Catalog catalog) {

        boolean isOf(List<Addition> additions) {
            return List.copyOf(files.keySet()).equals(additions);
        }
    }

    /** @param reporter receives each ConfigMap with an unusable file, and the reason */
    public LiveCatalog(Catalog builtIn, ObjectStore<ConfigMap> files, BiConsumer<ConfigMap, String> reporter) {
        this.builtIn = builtIn;
        this.files = files;
        this.reporter = reporter;
        this.state = new State(Map.of(), builtIn);
        files.addListener((before, after) -> report());
        report();
    }

    /** The current catalog. Each file is read once, by the first thread that needs it. */
    @Override
    public Catalog get() {
        List<Addition> additions = configMaps().flatMap(LiveCatalog::additions).toList();
        State known = state;
        return known.isOf(additions) ? known.catalog : read(additions);
    }

    private Catalog read(List<Addition> additions) {
        synchronized (reading) {
            if (!state.isOf(additions)) {
                var files = new LinkedHashMap<Addition, ReadFile>();
                for (Addition addition : additions) {
                    ReadFile known = state.files.get(addition);
                    files.put(addition, known == null ? ReadFile.of(addition) : known);
                }
                state = new State(files, builtIn.withFiles(List.copyOf(files.values())));
            }
            return state.catalog;
        }
    }

    private synchronized void report() {
        List<Rejected> rejected = get().rejected();
        reported.retainAll(Set.copyOf(rejected));
        rejected.stream().filter(reported::add).forEach(this::report);
    }

    private void report(Rejected rejected) {
        LOG.warnf("%s: no model is added to the catalog: %s", rejected.source(), rejected.problem());
        configMaps()
                .filter(configMap -> additions(configMap)
                        .anyMatch(addition -> addition.source().equals(rejected.source())))
                .findFirst()
                .ifPresent(configMap -> reporter.accept(configMap, rejected.source() + ": " + rejected.problem()));
    }

    private Stream<ConfigMap> configMaps() {
        return files.list().stream()
                .sorted(Comparator.comparing(
                        configMap -> configMap.getMetadata().getName()));
    }

    private static Stream<Addition> additions(ConfigMap configMap) {
        Map<String, String> data = Objects.requireNonNullElse(configMap.getData(), Map.of());
        return new TreeMap<>(data)
                .entrySet().stream()
                        .map(file -> new Addition(
                                "ConfigMap %s/%s, key %s"
                                        .formatted(
                                                configMap.getMetadata().getNamespace(),
                                                configMap.getMetadata().getName(),
                                                file.getKey()),
                                file.getValue()));
    }
}
