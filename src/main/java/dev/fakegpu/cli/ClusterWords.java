package dev.fakegpu.cli;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.dra.mixin.MixinsGate;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Completions of a command line that come from the cluster: names of pods, claims, namespaces, classes and partition types. */
@Command
final class ClusterWords {

    private static final Set<String> PODS = Set.of("pod", "pods", "po");
    private static final Set<String> CLAIMS = Set.of("claim", "resourceclaim", "resourceclaims");
    private static final Set<String> NAMESPACES = Set.of("-n", "--namespace");
    private static final Set<String> OF_PODS = Set.of("--without", "--evict");
    private static final String POD = "pod/";

    @Mixin
    private final ClusterSource source = new ClusterSource();

    private ClusterWords() {}

    /** The completions of the last word; empty if it is of another kind or the cluster cannot be read. */
    static List<String> of(List<String> words) {
        int last = words.size() - 1;
        String begun = last < 0 ? "" : words.get(last);
        if (last < 1 || begun.startsWith("-")) {
            return List.of();
        }
        String before = words.get(last - 1);
        boolean isExplain = words.get(0).equals("explain");
        boolean isPod = words.get(0).equals("metadata") && !before.startsWith("-");
        boolean isKnown = isPod
                || NAMESPACES.contains(before)
                || OF_PODS.contains(before)
                || before.equals("--free") && words.get(0).equals("who")
                || isExplain && (PODS.contains(before) || CLAIMS.contains(before) || begun.startsWith(POD));
        return isKnown
                ? names(words.subList(0, last), before, begun).stream()
                        .filter(name -> name.startsWith(begun))
                        .toList()
                : List.of();
    }

    private static Collection<String> names(List<String> words, String before, String begun) {
        var options = new ClusterWords();
        try {
            new CommandLine(options).setUnmatchedArgumentsAllowed(true).parseArgs(words.toArray(String[]::new));
            return options.source.with(
                    new PrintWriter(Writer.nullWriter()), MixinsGate.ON, cluster -> names(cluster, before, begun));
        } catch (RuntimeException e) {
            return List.of(); // a shell cannot show messages
        }
    }

    private static Collection<String> names(ClusterSource.Source cluster, String before, String begun) {
        ClusterObjects objects = cluster.snapshot().objects();
        if (before.equals("--free")) {
            return FreeAnswer.names(cluster.snapshot(), GateSources.NONE);
        }
        if (NAMESPACES.contains(before)) {
            return sorted(objects.namespaces().stream());
        }
        if (CLAIMS.contains(before)) {
            return sorted(objects.claims().stream().filter(claim -> isIn(cluster.namespace(), claim)));
        }
        Collection<String> pods = sorted(objects.pods().stream().filter(pod -> isIn(cluster.namespace(), pod)));
        return OF_PODS.contains(before) || begun.startsWith(POD)
                ? pods.stream().map(POD::concat).toList()
                : pods;
    }

    private static boolean isIn(String namespace, HasMetadata object) {
        return namespace.equals(object.getMetadata().getNamespace());
    }

    private static Collection<String> sorted(Stream<? extends HasMetadata> objects) {
        var names = new TreeSet<String>();
        objects.forEach(object -> names.add(object.getMetadata().getName()));
        return names;
    }
}
