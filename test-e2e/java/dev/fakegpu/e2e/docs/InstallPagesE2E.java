package dev.fakegpu.e2e.docs;

import dev.fakegpu.e2e.support.PageRun;
import dev.fakegpu.testing.CommandLine;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs pages about installation and removal, each in its own control plane, because an uninstallation continues after its command has
 * returned, and would remove objects that the next page installs. There is no kubelet that runs the operator's pod; {@link FirstStepsE2E}
 * and {@code KindE2E} test the running pod.
 */
@Tag("long")
class InstallPagesE2E {

    private ControlPlane controlPlane;

    @TempDir
    private Path dir;

    @BeforeEach
    void start() {
        controlPlane = ControlPlane.start(ControlPlaneOptions.withControllerManager());
    }

    @AfterEach
    void end() {
        controlPlane.close();
    }

    /** Install, upgrade, uninstall. */
    @Test
    void installsWithHelm() {
        page("docs/install.md").succeeds(dir);
    }

    @Test
    void installsTheDocumentedChart() {
        page("deploy/chart/README.md").succeeds(dir);
    }

    @Test
    void installsWithHelmWithoutTheDefinition() {
        page("docs/install.md", "own definition")
                .replacing(
                        "kubectl patch fakegpu NAME",
                        "until kubectl get fakegpus; do sleep 1; done; kubectl apply -f config/samples/*/10.FakeGpu.l40s.yaml;"
                                + " kubectl patch fakegpu l40s")
                .succeeds(dir);
    }

    @Test
    void installsWithOneFileAndWithKustomize() {
        page("docs/install.md", "one file")
                .replacing(
                        "kubectl delete --ignore-not-found -k DIRECTORY",
                        "kubectl apply -k config; kubectl delete --ignore-not-found -k config")
                .succeeds(dir);
    }

    /** Tests the objects that are installed beside the operator, and its settings. */
    @Test
    void installsAsInTheReadme() {
        page("README.md", "install").succeeds(dir);
        page("docs/kubelet-plugin.md").succeeds(dir);
        page("docs/security.md").succeeds(dir);
        page("docs/companion.md").succeeds(dir);
        page("README.md", "uninstall").succeeds(dir);
    }

    private PageRun page(String page, String... part) {
        Path kubeconfig = controlPlane.kubeconfig();
        return PageRun.of(page, part)
                .with("KUBECONFIG", kubeconfig.toString())
                .withPath(new CommandLine(kubeconfig).helmProgram().getParent());
    }
}
