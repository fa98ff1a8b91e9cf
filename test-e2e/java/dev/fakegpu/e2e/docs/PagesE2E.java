package dev.fakegpu.e2e.docs;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.PageRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Pages whose commands need a cluster with the operator, or none. */
@Tag("long")
class PagesE2E {

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @TempDir
    private Path dir;

    @Test
    void driverVendors() {
        onTheCluster("docs/start/driver-vendors.md")
                .exits("hack/fakegpu explain pod/pod-b", 3) // it waits
                .succeeds(dir);
    }

    @Test
    void platformEngineers() {
        onTheCluster("docs/start/platform-engineers.md").succeeds(dir);
    }

    @Test
    void kepReviewers() {
        onTheCluster("docs/start/kep-reviewers.md").succeeds(dir);
    }

    /** From where its file has its final form; {@code OwnHardwareDocsTest} runs what comes before. */
    @Test
    void yourOwnHardware() {
        var page = PageRun.of("docs/your-own-hardware.md");
        try {
            page.blocks(2, page.size())
                    .with("KUBECONFIG", cluster.controlPlane().kubeconfig().toString())
                    .exits("hack/fakegpu explain claim service", 3) // it waits
                    .succeeds(dir);
        } finally {
            cluster.controlPlane()
                    .client()
                    .resources(FakeGpu.class)
                    .withName("npu")
                    .delete();
        }
    }

    private static PageRun onTheCluster(String page) {
        return PageRun.of(page)
                .with("KUBECONFIG", cluster.controlPlane().kubeconfig().toString());
    }
}
