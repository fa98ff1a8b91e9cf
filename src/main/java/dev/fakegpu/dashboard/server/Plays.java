package dev.fakegpu.dashboard.server;

import dev.fakegpu.dashboard.Comparison;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.memory.SimulationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the page can play, and recent results. Thread-safe. */
public final class Plays {

    /** The maximum number of recent results. */
    private static final int KEPT = 8;

    /** The differences that two worlds can have. */
    enum Difference {
        gate("Feature gate on", all -> all.with(GroupsGate.ON), "Feature gate off", all -> all.with(GroupsGate.OFF)),
        policy(
                "Groups when they were allocated",
                all -> all.with(GroupPolicy.SNAPSHOT),
                "Groups of the present slice",
                all -> all.with(GroupPolicy.LIVE)),
        version(
                "Kubernetes 1.36",
                all -> all.with(KubernetesVersion.V1_36),
                "Kubernetes 1.37",
                all -> all.with(KubernetesVersion.V1_37));

        private final Map<String, UnaryOperator<SimulationOptions>> worlds;

        Difference(
                String titleA, UnaryOperator<SimulationOptions> a, String titleB, UnaryOperator<SimulationOptions> b) {
            worlds = new LinkedHashMap<>();
            worlds.put(titleA, a);
            worlds.put(titleB, b);
        }

        Play between(Play play) {
            Play.World first = play.worlds().get(0);
            return new Play(
                    play.title(),
                    worlds.entrySet().stream()
                            .map(each -> new Play.World(
                                    each.getKey(), each.getValue().apply(first.options()), first.steps()))
                            .toList());
        }
    }

    /** Plays that are listed together. */
    record Group(String title, List<Entry> plays) {
        Group {
            plays = List.copyOf(plays);
        }
    }

    /** @param name the name by which it is requested */
    record Entry(String name, String title) {}

    /** Shared, so that its results are kept only once. */
    private static final Plays BUILT_IN = new Plays(null, PlayFiles.ofBuild());

    private final List<Group> groups;
    private final Map<String, Play> given = new LinkedHashMap<>();
    private final PlayFiles files;
    private final Map<String, Comparison> played = new LinkedHashMap<>();

    Plays(@Nullable Play given, PlayFiles files) {
        this.files = files;
        Optional.ofNullable(given).ifPresent(play -> this.given.put("given", play));
        groups = Stream.concat(
                        Stream.ofNullable(given)
                                .map(play -> new Group("Of your own", List.of(new Entry("given", play.title())))),
                        files.groups().stream())
                .toList();
    }

    /** The plays of this build: examples, reports about stuck pods, and samples. */
    public static Plays builtIn() {
        return BUILT_IN;
    }

    /** The plays of this build, preceded by one of the user's. */
    public static Plays with(Play given) {
        return new Plays(given, PlayFiles.ofBuild());
    }

    List<Group> groups() {
        return groups;
    }

    /**
     * Plays it, which takes about a second, unless there is a recent result.
     *
     * @param difference the difference between two worlds; empty for the play's own worlds
     * @throws IllegalArgumentException if there is no play with this name, or no such difference
     * @throws DraftReader.InvalidDraftException if one of its objects is refused
     */
    synchronized Comparison play(String name, String difference) {
        String key = name + " " + difference;
        Comparison known = played.remove(key);
        if (known == null) {
            try {
                Play play = Optional.ofNullable(given.get(name)).orElseGet(() -> files.read(name));
                known = (difference.isEmpty() ? play : difference(difference).between(play)).play();
            } catch (SimulationException e) {
                throw new DraftReader.InvalidDraftException(e.messages());
            }
        }
        played.put(key, known);
        played.keySet()
                .removeAll(played.keySet().stream()
                        .limit(Math.max(0, played.size() - KEPT))
                        .toList());
        return known;
    }

    private static Difference difference(String name) {
        return Stream.of(Difference.values())
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "worlds: \"%s\" is not known; allowed: %s".formatted(name, List.of(Difference.values()))));
    }
}
