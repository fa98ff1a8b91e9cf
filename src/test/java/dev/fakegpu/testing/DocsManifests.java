package dev.fakegpu.testing;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The Kubernetes objects that pages show as YAML. A block that begins with {@code spec:} is a FakeGpu, which gets nodes if it has none. Of
 * other objects only a part is shown: a comment above it, such as {@code <!-- in FakeGpu.spec -->}, names the place of that part.
 */
public final class DocsManifests {

    private static final String FAKE_GPU = "apiVersion: fakegpu.dev/v1alpha1\nkind: FakeGpu\nmetadata: {name: shown}\n";
    private static final String NODES = "  nodes: {simulated: {count: 1}}\n";
    private static final String SPEC = FAKE_GPU + "spec:\n  model: A100-SXM4-40GB\n  count: 8\n" + NODES + "  ";
    private static final String CLAIM =
            "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: shown}\n";
    private static final String REQUESTS = "spec:\n  devices:\n    requests:\n    - name: gpu\n";

    /** The text before the part. Its last line ends with the indentation of the part. */
    private static final Map<String, String> PLACES = Map.of(
            "FakeGpu.spec", SPEC,
            "FakeGpu.spec beside MIG devices", SPEC + "partitions: {mig: {profiles: [All]}}\n  ",
            "FakeGpu.spec.custom", FAKE_GPU + "spec:\n" + NODES + "  custom:\n    ",
            "ResourceClaim", CLAIM + REQUESTS + "      exactly: {deviceClassName: gpu.example.com}\n",
            "ResourceClaim.request",
                    CLAIM + REQUESTS + "      exactly:\n        deviceClassName: gpu.example.com\n        ",
            "ResourceSlice.metadata.annotations",
                    "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\n"
                            + "spec: {driver: gpu.example.com, nodeName: n, pool: {name: p, generation: 1, resourceSliceCount: 1}}\n"
                            + "metadata:\n  name: shown\n  annotations:\n    ");

    private static final String IN = "in ";

    private DocsManifests() {}

    /**
     * An object in a page.
     *
     * @param where the page and the line of the block
     */
    public record Shown(String where, String yaml) {}

    /** All objects in the order of the pages, except in pages that quote objects as API servers return them, which include invalid ones. */
    public static List<Shown> all() {
        return PageBlock.pages().stream()
                .filter(page -> !page.startsWith("docs/evidence/"))
                .flatMap(page -> PageBlock.of(page).stream())
                .flatMap(block -> of(block).stream())
                .toList();
    }

    /** The objects of a block; empty if it shows something else. */
    public static List<Shown> of(PageBlock block) {
        if (!block.language().equals("yaml")) {
            return List.of();
        }
        return Stream.of(block.text().split("(?m)^---\n"))
                .flatMap(document -> whole(block.mark(), document))
                .map(yaml -> new Shown(block.where(), yaml))
                .toList();
    }

    private static Stream<String> whole(String mark, String document) {
        if (mark.startsWith(IN)) {
            return Stream.of(inPlace(mark.substring(IN.length()), document));
        }
        if (document.startsWith("spec:\n")) {
            return Stream.of(FAKE_GPU + document + (document.contains("\n  nodes:") ? "" : NODES));
        }
        boolean isObject = document.contains("apiVersion: ") && document.contains("\nkind: ");
        return isObject && !document.contains("\nkind: Scenario\n") ? Stream.of(document) : Stream.of();
    }

    private static String inPlace(String place, String part) {
        String before = PLACES.get(place);
        if (before == null) {
            throw new IllegalArgumentException("there is no place " + place + ", only " + PLACES.keySet());
        }
        String indentation = before.substring(before.lastIndexOf('\n') + 1);
        return before.substring(0, before.length() - indentation.length()) + part.replaceAll("(?m)^(?=.)", indentation);
    }
}
