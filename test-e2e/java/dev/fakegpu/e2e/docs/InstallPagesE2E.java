package dev.fakegpu.e2e.docs;

import dev.fakegpu.e2e.support.PageRun;
import dev.fakegpu.testing.CommandLine;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What pages install and remove, in a control plane of its own. Each test leaves it without an operator. No kubelet runs the operator's pod:
 * {@link FirstStepsE2E} and {@code KindE2E} show what it does.
 */
@Tag("long")
class InstallPagesE2E {

    private static final String HELM_UNINSTALL = "helm uninstall fakegpu-operator --namespace fakegpu-system";
    private static final String DELETE_ONE_FILE = "kubectl delete --ignore-not-found -f deploy/install.yaml";

    private static ControlPlane controlPlane;

    @TempDir
    private Path dir;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(ControlPlaneOptions.withControllerManager());
    }

    @AfterAll
    static void end() {
        controlPlane.close();
    }

    /** Install, upgrade, uninstall. */
    @Test
    void helm() {
        page("docs/install.md").cleaningUp(HELM_UNINSTALL).succeeds(dir);
    }

    @Test
    void chart() {
        page("deploy/chart/README.md").cleaningUp(HELM_UNINSTALL).succeeds(dir);
    }

    @Test
    void helmWithoutDefinition() {
        page("docs/install.md", "own definition")
                .replacing(
                        "kubectl patch fakegpu NAME",
                        "until kubectl get fakegpus; do sleep 1; done; kubectl apply -f config/samples/*/10.FakeGpu.l40s.yaml;"
                                + " kubectl patch fakegpu l40s")
                .cleaningUp(HELM_UNINSTALL + "; kubectl delete -k crds")
                .succeeds(dir);
    }

    @Test
    void oneFileAndKustomize() {
        page("docs/install.md", "one file")
                .replacing(
                        "kubectl delete --ignore-not-found -k DIRECTORY",
                        "kubectl apply -k config; kubectl delete --ignore-not-found -k config")
                .cleaningUp(DELETE_ONE_FILE)
                .succeeds(dir);
    }

    /** With what is installed beside the operator, and set for it. */
    @Test
    void readme() {
        page("README.md", "install").succeeds(dir);
        page("docs/kubelet-plugin.md").succeeds(dir);
        page("docs/security.md").succeeds(dir);
        page("docs/companion.md").succeeds(dir);
        page("README.md", "uninstall").cleaningUp(DELETE_ONE_FILE).succeeds(dir);
    }

    private static PageRun page(String page, String... part) {
        Path kubeconfig = controlPlane.kubeconfig();
        return PageRun.of(page, part)
                .with("KUBECONFIG", kubeconfig.toString())
                .withPath(new CommandLine(kubeconfig).helmProgram().getParent());
    }
}
