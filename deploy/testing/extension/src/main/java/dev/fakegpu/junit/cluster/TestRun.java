package dev.fakegpu.junit.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The tests of a JVM. Other JVMs may use the same existing cluster at the same time, so objects that are created for tests are labeled with
 * the run.
 */
public final class TestRun {

    public static final TestRun THIS = new TestRun(UUID.randomUUID().toString());

    /** A label of the namespaces and FakeGpus that are created for a test class. */
    private static final String LABEL = "fakegpu.dev/testing";

    private final String id;

    TestRun(String id) {
        this.id = id;
    }

    public <T extends HasMetadata> T mark(T object) {
        var labels = new HashMap<>(labels(object));
        labels.put(LABEL, id);
        object.getMetadata().setLabels(labels);
        return object;
    }

    boolean made(HasMetadata object) {
        return id.equals(labels(object).get(LABEL));
    }

    private static Map<String, String> labels(HasMetadata object) {
        var labels = object.getMetadata().getLabels();
        return labels == null ? Map.of() : labels;
    }
}
