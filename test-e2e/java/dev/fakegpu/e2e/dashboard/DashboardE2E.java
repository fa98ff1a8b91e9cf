package dev.fakegpu.e2e.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.FakeGpuSpec.Compatibility;
import dev.fakegpu.cli.input.YamlDrafts;
import dev.fakegpu.dashboard.server.Admission;
import dev.fakegpu.dashboard.server.DashboardFeed;
import dev.fakegpu.dashboard.server.DashboardReader;
import dev.fakegpu.dashboard.server.DashboardServer;
import dev.fakegpu.dashboard.server.WatchedCluster;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.testing.BrowserExtension;
import dev.fakegpu.testing.Patience;
import dev.fakegpu.util.Ticker;
import io.vertx.core.Vertx;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests KEP-5963's examples on the dashboard's page. */
@Tag("long")
class DashboardE2E {

    private static final String GPU = "gpu.example.com";
    private static final String DEVICE = "device.example.com";

    @RegisterExtension
    static final BrowserExtension browser = new BrowserExtension();

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    private static Vertx vertx;
    private static DashboardFeed feed;
    private static DashboardServer server;

    @BeforeAll
    static void serve() {
        PlaywrightAssertions.setDefaultAssertionTimeout(Patience.LIMIT.toMillis());
        vertx = Vertx.vertx();
        feed = new DashboardFeed(
                new WatchedCluster(cluster.client(), "default"),
                new DashboardReader("cluster", PendingChanges.NONE),
                new YamlDrafts("default", KubernetesVersion.NEWEST),
                Clock.systemUTC(),
                Ticker.SYSTEM);
        server = new DashboardServer(vertx, new InetSocketAddress("127.0.0.1", 0), Admission.everybody(feed));
    }

    @AfterAll
    static void stop() {
        server.close();
        feed.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private static Page open(ClusterScenario scenario) {
        Page page = browser.page(new Browser.NewContextOptions().setViewportSize(1400, 900));
        page.navigate("http://127.0.0.1:%d/?q=%s".formatted(server.port(), scenario.namespace()));
        return page;
    }

    private static Locator waiter(Page page, ClusterScenario scenario, String pod) {
        return page.locator(".waiter").filter(new Locator.FilterOptions().setHasText(scenario.namespace() + "/" + pod));
    }

    /** Without groups, only counters keep the partitions apart. */
    @Test
    void example1IsSeenWithThreePartitionsSideBySide() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            scenario.apply("example-1.yaml");
            Page page = open(scenario);

            scenario.podWithClaim("pod-a", GPU, "mig-1g");
            scenario.podWithClaim("pod-b", GPU, "mig-1g");
            scenario.podWithClaim("pod-c", GPU, "mig-1g");
            assertThat(page.locator(".gpu .holders > li")).hasCount(3);
            assertThat(page.locator(".gpu .lane")).hasCount(1);

            scenario.podWithClaim("pod-d", GPU, "mig-1g");
            assertThat(waiter(page, scenario, "pod-d")).isVisible();
            assertThat(page.locator(".reason")).hasText("devices in use (1)");

            scenario.deletePod("pod-b");
            assertThat(waiter(page, scenario, "pod-d")).hasCount(0);
            assertThat(page.locator(".gpu .holders")).containsText(scenario.namespace() + "/pod-d");
            page.context().close();
        }
    }

    /** The hardware of example 3 with a driver that cannot express exclusions: preparation fails. */
    @Test
    void example2FailsOnlyInPreparation() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            scenario.apply("example-3.yaml", Compatibility.None);
            Page page = open(scenario);
            scenario.podWithClaim("pod-a", GPU, "mig-1g");
            assertThat(page.locator(".gpu .holders")).containsText(scenario.namespace() + "/pod-a");

            scenario.podWithClaim("pod-b", GPU, "vgpu");
            assertThat(page.locator(".gpu .holders .failed")).containsText("preparation failed: ");
            assertThat(page.locator(".waiter")).hasCount(0);

            scenario.deletePod("pod-a");
            assertThat(page.locator(".gpu .holders .failed")).hasCount(0);
            assertThat(page.locator(".story ol")).containsText("was prepared for " + scenario.namespace() + "/pod-b");
            page.context().close();
        }
    }

    @Test
    void example3IsSeenFromTheRefusalToTheRunningPod() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            scenario.apply("example-3.yaml");
            Page page = open(scenario);

            scenario.podWithClaim("pod-a", GPU, "mig-1g");
            Locator gpu = page.locator(".gpu");
            assertThat(gpu.locator(".mode")).hasText("mig");
            assertThat(gpu.locator(".holders")).containsText(scenario.namespace() + "/pod-a");
            assertThat(gpu.locator(".excludes")).containsText("vgpu");

            scenario.podWithClaim("pod-b", GPU, "vgpu");
            waiter(page, scenario, "pod-b").click();
            assertThat(page.locator(".why")).containsText("gpu-0-mig-1g-0");
            assertThat(page.locator(".ways")).containsText("delete pod pod-a");
            assertThat(gpu.locator(".seg.inway")).isVisible();
            page.locator(".try").click();
            assertThat(page.locator(".tried")).containsText("/pod-b would be placed on ");
            assertThat(gpu.locator(".mode")).hasText("vgpu");
            page.getByText("Back to what is").click();
            assertThat(gpu.locator(".mode")).hasText("mig");
            page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target/dashboard/example-3.png")));

            scenario.deletePod("pod-a");
            assertThat(gpu.locator(".mode")).hasText("vgpu");
            assertThat(gpu.locator(".holders")).containsText(scenario.namespace() + "/pod-b");
            assertThat(waiter(page, scenario, "pod-b")).hasCount(0);
            assertThat(page.locator(".story ol")).containsText("/pod-b waits no more");
            page.context().close();
        }
    }

    /** Devices are in several groups: after allocations, only the groups that all holders have in common remain. */
    @Test
    void example4IsSeenToLeaveOneGroupInCommon() {
        try (var scenario = cluster.scenario(AllocatorName.Companion)) {
            scenario.apply("example-4.yaml");
            Page page = open(scenario);

            scenario.podWithClaim("pod-foo", DEVICE, "foo");
            assertThat(page.locator(".gpu .excludes summary")).hasText("baz");
            scenario.podWithClaim("pod-bar", DEVICE, "bar");
            Locator gpu = page.locator(".gpu");
            assertThat(gpu.locator(".holders > li")).hasCount(2);
            assertThat(gpu.locator(".mode")).hasText("foobar");

            scenario.podWithClaim("pod-baz", DEVICE, "baz");
            waiter(page, scenario, "pod-baz").click();
            assertThat(page.locator(".why")).containsText("group \"foobar\"");
            assertThat(gpu.locator(".seg.inway")).hasCount(2);

            scenario.deletePod("pod-foo");
            scenario.deletePod("pod-bar");
            assertThat(gpu.locator(".holders")).containsText(scenario.namespace() + "/pod-baz");
            assertThat(gpu.locator(".holders > li")).hasCount(1);
            page.context().close();
        }
    }
}
