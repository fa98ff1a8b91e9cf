package dev.fakegpu.testing;

import dev.fakegpu.testing.DocsManifests.Shown;
import java.util.List;

/**
 * The FakeGpus in the YAML of the documentation: complete ones, and those whose YAML is only partly shown, with the missing parts added.
 */
public final class DocsFakeGpus {

    private DocsFakeGpus() {}

    /** All of them, in the order of the pages. */
    public static List<Shown> all() {
        return DocsManifests.all().stream()
                .filter(shown -> shown.yaml().contains("kind: FakeGpu\n"))
                .toList();
    }
}
