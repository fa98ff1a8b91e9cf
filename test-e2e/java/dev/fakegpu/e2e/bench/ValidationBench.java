package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.cluster.validation.FieldError;
import dev.fakegpu.e2e.bench.ObjectMutations.Mutated;
import dev.fakegpu.e2e.bench.Verdicts.Verdict;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.kube.manifest.ManifestFields;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Compares the validation of random mistakes with that of a real API server in a dry run. Writes a row of a table to standard output, and
 * differences to standard error: one of each kind, sorted by the number and length of the changes.
 *
 * <p>Arguments: the number of objects with mistakes, the seed, and the version of Kubernetes, such as {@code v1.37.1}.
 */
final class ValidationBench {

    private static final int MAX_SHOWN = 60;

    private record Compared(Mutated mutated, Verdict ours, Verdict theirs) {

        boolean isEqual() {
            return ours.isRefused() == theirs.isRefused();
        }

        boolean isReadByBoth() {
            return ours.isReadable() && theirs.isReadable();
        }

        boolean hasEqualPaths() {
            return ours.paths().equals(theirs.paths());
        }

        /** Differences of the same kind have the same text. */
        String difference() {
            var only = new ArrayList<String>();
            theirs.errors().forEach(error -> only.add((ours.paths().contains(error.path()) ? "" : "-") + shape(error)));
            ours.errors().forEach(error -> only.add((theirs.paths().contains(error.path()) ? "" : "+") + shape(error)));
            only.removeIf(each -> !each.startsWith("-") && !each.startsWith("+"));
            String read =
                    (ours.isReadable() ? "" : "unreadable here ") + (theirs.isReadable() ? "" : "unreadable there ");
            return mutated.object().path("kind").asText() + " " + read + String.join(" ", new TreeSet<>(only));
        }

        private static String shape(FieldError error) {
            return error.path().replaceAll("\\[[^]]*]", "[]") + ":"
                    + error.what().split(":", 2)[0];
        }

        int size() {
            return mutated.edits().size() * 1000
                    + String.join("", mutated.edits()).length();
        }

        @Override
        public String toString() {
            return mutated.object().path("kind").asText() + ": " + String.join("; ", mutated.edits())
                    + "\n    API server: " + theirs + "\n    here: " + ours;
        }
    }

    public static void main(String... arguments) throws IOException {
        int number = Integer.parseInt(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        String program = arguments[2];
        KubernetesVersion version = version(program);
        List<JsonNode> objects = objects(version);
        var mutations = new ObjectMutations(
                objects.stream().map(object -> known(object, version)).toList(), objects, seed);
        List<Mutated> mutated =
                IntStream.range(0, number).mapToObj(i -> mutations.next()).toList();
        try (var controlPlane = ControlPlane.start(
                ControlPlaneOptions.apiServerOnly().version(program).featureGates(Verdicts.gates(version)))) {
            var verdicts = new Verdicts(controlPlane.client(), version);
            List<Compared> compared = mutated.parallelStream()
                    .map(each -> new Compared(each, verdicts.here(each.object()), verdicts.ofApiServer(each.object())))
                    .toList();
            differences(compared);
            System.out.println("| " + program.substring(1) + " " + row(compared, seed));
        }
        System.exit(0); // otherwise the threads of clients keep the process alive
    }

    private static KubernetesVersion version(String program) {
        return Arrays.stream(KubernetesVersion.values())
                .filter(version -> program.startsWith("v" + version + "."))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(program + " is not a known version"));
    }

    private static List<JsonNode> objects(KubernetesVersion version) throws IOException {
        var objects = new ArrayList<JsonNode>();
        for (String file : List.of("refused.yaml", "versions.yaml")) {
            JsonNode cases = new YAMLMapper()
                    .readTree(ProjectFiles.resolve("src/test/resources/validation/" + file)
                            .toFile());
            cases.path("objects").forEach(object -> {
                if (isServed(object, version)) {
                    objects.add(object);
                }
            });
        }
        return objects;
    }

    /** The object without the fields that the version does not have, and without attributes that have no value then. */
    private static JsonNode known(JsonNode object, KubernetesVersion version) {
        JsonNode known = ManifestFields.readable(object, Verdicts.type(object), "", version)
                .readable();
        known.path("spec").path("devices").forEach(device -> {
            if (device.path("attributes") instanceof ObjectNode attributes) {
                attributes.removeIf(JsonNode::isEmpty);
            }
        });
        return known;
    }

    /** Whether the version serves the kind in the version in which it is read. */
    private static boolean isServed(JsonNode object, KubernetesVersion version) {
        return KnownKind.unserved(
                        object.path("kind").asText(), object.path("apiVersion").asText(), version)
                .isEmpty();
    }

    private static String row(List<Compared> all, long seed) {
        long refused = all.stream().filter(each -> each.theirs().isRefused()).count();
        long equal = all.stream().filter(Compared::isEqual).count();
        List<Compared> bothRefuse = all.stream()
                .filter(each -> each.isReadByBoth()
                        && each.ours().isRefused()
                        && each.theirs().isRefused())
                .toList();
        long paths = bothRefuse.stream().filter(Compared::hasEqualPaths).count();
        long words = bothRefuse.stream()
                .filter(each -> each.ours().sentences().equals(each.theirs().sentences()))
                .count();
        return String.format(
                Locale.ROOT,
                "| %d | %d | %d | %d | %d | %d | %.2f%% | %d | %.2f%% |",
                seed,
                all.size(),
                refused,
                all.size() - equal,
                bothRefuse.size(),
                paths,
                100.0 * paths / bothRefuse.size(),
                words,
                100.0 * words / bothRefuse.size());
    }

    private static void differences(List<Compared> all) {
        Map<String, List<Compared>> byKind = new TreeMap<>();
        all.stream()
                .filter(each -> !each.isEqual() || each.isReadByBoth() && !each.hasEqualPaths())
                .sorted(Comparator.comparingInt(Compared::size))
                .forEach(each -> byKind.computeIfAbsent(each.difference(), ignored -> new ArrayList<>())
                        .add(each));
        byKind.values().stream()
                .sorted(Comparator.comparingInt(same -> same.get(0).size()))
                .limit(MAX_SHOWN)
                .forEach(same -> System.err.println(
                        same.size() + " x " + (same.get(0).isEqual() ? "paths " : "VERDICT ") + same.get(0)));
        System.err.println(byKind.size() + " kinds of differences");
    }
}
