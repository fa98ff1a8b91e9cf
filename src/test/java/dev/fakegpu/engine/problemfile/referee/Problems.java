package dev.fakegpu.engine.problemfile.referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.engine.problemfile.AllocatorCorpus;
import dev.fakegpu.engine.problemfile.ProblemGenerator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The problems for allocators: those of the corpus, and random ones. Only features are enabled whose fields the problem uses. */
final class Problems {

    private static final int PROFILES = 10;

    private final ApiValidation validation = new ApiValidation();

    /** The problems of the corpus that are possible in a cluster. */
    Stream<ObjectNode> corpus() {
        return AllocatorCorpus.problems()
                .<ObjectNode>map(problem -> problem.without("expect"))
                .filter(problem -> !problem.path("context").has("mode"))
                .flatMap(problem -> usual(FeatureFields.without(problem, off(problem))).stream());
    }

    private static Set<String> off(ObjectNode problem) {
        var off = new TreeSet<>(FeatureFields.all());
        problem.path("features").forEach(feature -> off.remove(feature.asText()));
        return off;
    }

    /** The random problem of a seed; empty if the API server would not store its objects. Most use few features, some use all. */
    Optional<ObjectNode> random(long seed) {
        var random = new Random(seed);
        var off = new ArrayList<>(new TreeSet<>(FeatureFields.all()));
        Collections.shuffle(off, random);
        int profile = random.nextInt(PROFILES);
        int on = profile < 1 ? 0 : profile < 5 ? 1 : profile < 8 ? 2 : off.size();
        return usual(FeatureFields.without(ProblemGenerator.generate(seed), off.subList(on, off.size())));
    }

    /** The problem without unused classes, and with only the features that it uses; empty if it is not {@link #isFair fair}. */
    private Optional<ObjectNode> usual(ObjectNode problem) {
        ObjectNode usual = problem.deepCopy();
        List<String> named = problem.path("claims").findValuesAsText("deviceClassName");
        if (usual.path("classes") instanceof ArrayNode classes) {
            for (int i = classes.size() - 1; i >= 0; i--) {
                if (!named.contains(classes.get(i).path("metadata").path("name").asText())) {
                    classes.remove(i);
                }
            }
        }
        return isFair(usual) ? Optional.of(withFeatures(usual)) : Optional.empty();
    }

    /** Whether the objects can be stored. */
    boolean isFair(ObjectNode problem) {
        return validation.isAccepted(problem);
    }

    /** The problem with only the features that it uses. */
    static ObjectNode withFeatures(ObjectNode problem) {
        ObjectNode copy = problem.deepCopy();
        Collection<String> used = FeatureFields.used(problem);
        ArrayNode features = copy.putArray("features");
        used.forEach(features::add);
        return copy;
    }

    static int devices(JsonNode problem) {
        int devices = 0;
        for (JsonNode slice : problem.path("slices")) {
            devices += slice.path("spec").path("devices").size();
        }
        return devices;
    }
}
