package dev.fakegpu.evidence;

import dev.fakegpu.evidence.Check.Topic;
import io.fabric8.kubernetes.api.model.APIResource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The observations so far, and the parts that could not be run. */
final class Findings {

    private final List<Check> checks = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final Map<String, String> kinds = new HashMap<>();

    void add(Check check) {
        System.out.printf("  %-24s %s%n", check.id(), check.agrees() ? "as expected" : "differs: " + check.observed());
        checks.add(check);
    }

    List<Check> checks() {
        return checks;
    }

    List<String> failures() {
        return failures;
    }

    /** Runs a part. If it fails, the other parts still run. */
    void attempt(String part, Runnable run) {
        try {
            run.run();
        } catch (RuntimeException | AssertionError e) {
            System.out.println("  NOT RUN: " + part + ": " + e);
            failures.add(part + ": " + e.getMessage());
        }
    }

    /** Records the kinds that the API server serves, and compares them with those that it serves with the feature off. */
    void apiKinds(String gate, Lab lab) {
        kinds.put(
                gate,
                lab.client().getApiResources("resource.k8s.io/v1").getResources().stream()
                        .map(APIResource::getName)
                        .sorted()
                        .collect(Collectors.joining(", ")));
        if (kinds.containsKey("on") && kinds.containsKey("off")) {
            add(new Check(
                    "on-kinds",
                    Topic.ON,
                    "PRR, Scalability",
                    "Enabling this feature introduces no new API types.",
                    kinds.getOrDefault("off", ""),
                    kinds.getOrDefault("on", ""),
                    "kubectl api-resources --api-group resource.k8s.io\n"));
        }
    }
}
