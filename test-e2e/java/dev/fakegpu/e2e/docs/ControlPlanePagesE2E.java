package dev.fakegpu.e2e.docs;

import dev.fakegpu.e2e.support.PageRun;
import dev.fakegpu.testing.CommandLine;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs pages that start a control plane with {@code hack/control-plane}, under another name, so that it does not affect the developer's own
 * control plane.
 */
@Tag("long")
class ControlPlanePagesE2E {

    private static final String NAME = "pages-" + ProcessHandle.current().pid();

    @TempDir
    private Path dir;

    /** An operator in the foreground leads as soon as it has its Lease. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "docs/control-plane.md",
                "docs/kube-scheduler.md",
                "docs/nvidia-manifests.md",
                "docs/version-skew.md"
            })
    void commandsOfThePageWork(String page) {
        PageRun.of(page)
                .inBackground("hack/fakegpu operator # ", "kubectl get lease -A | grep -q fakegpu-operator")
                .replacing("hack/control-plane ", "hack/control-plane --name " + NAME + " ")
                .replacing("operator.log", dir.resolve("operator.log").toString())
                .with("QUARKUS_HTTP_PORT", "0")
                .succeeds(dir);
    }

    /** The demo gives its control plane a unique name. */
    @Test
    void demoWorks() {
        PageRun.of("docs/demo.md").replacing("hack/demo", "hack/demo --once").succeeds(dir);
    }

    /** Stops the control plane after a failure; otherwise the page has stopped it. */
    @AfterEach
    void end() {
        new CommandLine(dir)
                .shell("hack/control-plane --name " + NAME + " down")
                .succeeded();
    }
}
