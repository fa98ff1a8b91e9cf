package dev.fakegpu.testing;

import dev.fakegpu.testing.DocsManifests.Shown;
import java.util.List;

/** The FakeGpus that the pages of the documentation show as YAML: whole ones, and those of which only a part is shown, with what it needs. */
public final class DocsFakeGpus {

    private DocsFakeGpus() {}

    /** In the order of the pages. */
    public static List<Shown> all() {
        return DocsManifests.all().stream()
                .filter(shown -> shown.yaml().contains("kind: FakeGpu\n"))
                .toList();
    }
}
