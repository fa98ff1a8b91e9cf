package dev.fakegpu.e2e.docs;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.PageRun;
import dev.fakegpu.testing.CommandLine;
import dev.fakegpu.testing.Prerequisite;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs pages whose commands need a cluster with the operator, or no cluster. */
@Tag("long")
class PagesE2E {

    private static final String INCOMPATIBLE = "config/samples/03-groups-keep-incompatible-apart";
    private static final String GOLDEN = "src/test/resources/golden/cli/";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @TempDir
    private Path dir;

    /** A page that lists all slices would find them, and a pod might get their devices. */
    @BeforeEach
    void awaitNothingOfThePageBefore() {
        cluster.fakeGpus().awaitNothingLeft();
    }

    @Test
    void commandsForDriverVendorsWork() {
        onTheCluster("docs/start/driver-vendors.md")
                .exits("hack/fakegpu explain pod/pod-b", 3) // the pod waits
                .succeeds(dir);
    }

    @Test
    void commandsForPlatformEngineersWork() {
        onTheCluster("docs/start/platform-engineers.md").succeeds(dir);
    }

    @Test
    void commandsForKepReviewersWork() {
        onTheCluster("docs/start/kep-reviewers.md").succeeds(dir);
    }

    /** Starts where the file on the page has its final form; {@code OwnHardwareDocsTest} runs the part before. */
    @Test
    void commandsForOwnHardwareWork() {
        var page = PageRun.of("docs/your-own-hardware.md");
        try {
            page.blocks(2, page.size())
                    .with("KUBECONFIG", cluster.controlPlane().kubeconfig().toString())
                    .exits("hack/fakegpu explain claim service", 3) // the claim waits
                    .succeeds(dir);
        } finally {
            cluster.controlPlane()
                    .client()
                    .resources(FakeGpu.class)
                    .withName("npu")
                    .delete();
        }
    }

    @Test
    void commandsOfTheReadmeWork() {
        onTheCluster("README.md").cleaningUp("kubectl delete fakegpus a100").succeeds(dir);
    }

    @Test
    void commandsOfTheToolsWork() {
        String slices = dir.resolve("slices.yaml").toString();
        String classes = dir.resolve("classes.yaml").toString();
        onTheCluster("docs/tools.md")
                .after("kubectl apply -f " + INCOMPATIBLE + "/10.FakeGpu.a100.yaml -f " + INCOMPATIBLE
                        + "/20.Pod.pod-a.yaml"
                        + "; kubectl wait pod pod-a --for=jsonpath='{.status.phase}'=Running"
                        + "; kubectl apply -f " + INCOMPATIBLE + "/30.Pod.pod-b.yaml"
                        + "; kubectl wait pod pod-b --for=condition=PodScheduled=False"
                        + "; kubectl get resourceslices -o yaml >" + slices
                        + "; kubectl get deviceclasses -o yaml >" + classes)
                .cleaningUp("kubectl delete --ignore-not-found -f " + INCOMPATIBLE)
                .replacing("pod train ", "pod pod-b ")
                .exits("hack/fakegpu explain", 3) // the pod waits
                .given("pods.yaml", GOLDEN + "simulate-compares-files/pods.yaml")
                .given("small.yaml", GOLDEN + "simulate-compares-files/small.yaml")
                .given("large.yaml", GOLDEN + "simulate-compares-files/large.yaml")
                .replacing("slices.yaml", slices)
                .replacing("classes.yaml", classes)
                .replacing("fleet.yaml", dir.resolve("fleet.yaml").toString())
                .given("before.yaml", GOLDEN + "diff-two-versions/before.yaml")
                .given("after.yaml", GOLDEN + "diff-two-versions/after.yaml")
                .exits("fakegpu diff before.yaml", 2) // there are differences
                .replacing("context:blue context:green", "context: context:")
                .succeeds(dir);
    }

    /** The page requires a token from callers, as that of the operator does. */
    @Test
    void commandsOfTheDashboardWork() throws IOException {
        int port = freePort();
        onTheCluster("docs/dashboard.md")
                .after("kubectl create namespace team; kubectl create serviceaccount -n team me")
                .cleaningUp("kubectl delete namespace team --wait=false")
                .replacing("hack/fakegpu dashboard", "hack/fakegpu dashboard --as-user --port " + port)
                .replacing("http://127.0.0.1:8088/", "http://127.0.0.1:" + port + "/")
                .replacing("curl ", "curl --fail ")
                .inBackground("hack/fakegpu dashboard", "curl -s http://127.0.0.1:" + port + "/")
                .succeeds(dir);
    }

    @Test
    void commandsForAllocationProblemsWork() {
        var build = new CommandLine(dir).shell("hack/oracle/build");
        Prerequisite.require(build.exitCode() == 0, build.output());
        PageRun.of("docs/allocation-problems.md")
                .given("problems.jsonl", "src/test/resources/allocator-corpus/groups.jsonl")
                .succeeds(dir);
    }

    @Test
    void commandsForStuckPodsWork() {
        PageRun.of("docs/stuck/README.md").succeeds(dir);
    }

    /**
     * A port below those of outgoing connections and of {@code hack/control-plane}, so that no other process takes it before it is used.
     */
    private static int freePort() throws IOException {
        for (int port = 10_000 + new Random().nextInt(5_000); ; port++) {
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                // try the next port
            }
        }
    }

    private static PageRun onTheCluster(String page) {
        return PageRun.of(page)
                .with("KUBECONFIG", cluster.controlPlane().kubeconfig().toString());
    }
}
