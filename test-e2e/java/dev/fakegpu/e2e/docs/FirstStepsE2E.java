package dev.fakegpu.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.e2e.support.PageRun;
import dev.fakegpu.testing.CommandLine;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the pages about first steps, each in its own cluster. */
@Tag("long")
class FirstStepsE2E {

    @TempDir
    private Path dir;

    /** Starts a control plane as the reader would, but under another name, so that it does not affect the developer's own control plane. */
    @Test
    void stepsWorkWithoutContainers() {
        String name = "page-" + ProcessHandle.current().pid();
        PageRun.of("docs/start/without-containers.md")
                .replacing("hack/control-plane ", "hack/control-plane --name " + name + " ")
                .replacing("operator.log", dir.resolve("operator.log").toString())
                .with("QUARKUS_HTTP_PORT", "0")
                .cleaningUp("hack/control-plane --name " + name + " down")
                .succeeds(dir);
    }

    /** There is no kubelet that runs the operator's pod, so the operator is a process with the rights that the chart grants. */
    @Test
    void stepsWorkInAnExistingCluster() {
        var page = PageRun.of("docs/start/existing-cluster.md");
        try (var controlPlane = ControlPlane.start(ControlPlaneOptions.withControllerManager())) {
            onItsCluster(page.blocks(0, 2), controlPlane).succeeds(dir);
            var operator = OperatorProcess.startAs(
                    controlPlane, controlPlane.config().getMasterUrl(), "fakegpu-system", Map.of());
            try (operator) {
                // The page waits for the operator's pod, which becomes ready only after the definition is served.
                onItsCluster(page.blocks(2, page.size()), controlPlane)
                        .after("until kubectl get fakegpus; do sleep 0.2; done")
                        .succeeds(dir);
            }
            assertThat(controlPlane
                            .client()
                            .namespaces()
                            .withName("fakegpu-system")
                            .get())
                    .as("the namespace is the user's")
                    .isNotNull();
        }
    }

    /** Runs only if {@code .ci/run} sets this variable because kind is available. */
    @Test
    void stepsWorkOnKind() {
        Assumptions.assumeTrue(System.getenv("FAKEGPU_KIND_PAGE") != null, "FAKEGPU_KIND_PAGE is not set");
        PageRun.of("docs/start/kind.md")
                .with("KUBECONFIG", dir.resolve("kubeconfig").toString())
                .withPath(helmOn(dir.resolve("kubeconfig")))
                .succeeds(dir);
    }

    private static PageRun onItsCluster(PageRun page, ControlPlane controlPlane) {
        return page.with("KUBECONFIG", controlPlane.kubeconfig().toString())
                .withPath(helmOn(controlPlane.kubeconfig()));
    }

    private static Path helmOn(Path kubeconfig) {
        return new CommandLine(kubeconfig).helmProgram().getParent();
    }
}
