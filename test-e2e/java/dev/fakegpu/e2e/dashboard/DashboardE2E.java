package dev.fakegpu.e2e.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.cli.YamlDrafts;
import dev.fakegpu.dashboard.server.DashboardFeed;
import dev.fakegpu.dashboard.server.DashboardReader;
import dev.fakegpu.dashboard.server.DashboardServer;
import dev.fakegpu.dashboard.server.WatchedCluster;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.explain.PendingChanges;
import dev.fakegpu.testing.BrowserExtension;
import io.vertx.core.Vertx;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** KEP-5963's example 3, watched on the page. */
@Tag("long")
class DashboardE2E {

    private static final Duration PATIENCE = Duration.ofMinutes(6);

    @RegisterExtension
    static final BrowserExtension browser = new BrowserExtension();

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @Test
    void example3IsSeenFromTheRefusalToTheRunningPod() {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE.toMillis());
        Vertx vertx = Vertx.vertx();
        try (var scenario = cluster.scenario(AllocatorName.Companion);
                var feed = new DashboardFeed(
                        new WatchedCluster(cluster.client(), scenario.namespace()),
                        new DashboardReader("cluster", PendingChanges.NONE),
                        new YamlDrafts(scenario.namespace()),
                        Clock.systemUTC());
                var server = new DashboardServer(vertx, new InetSocketAddress("127.0.0.1", 0), feed)) {
            Page page = browser.page(new Browser.NewContextOptions().setViewportSize(1400, 900));
            scenario.apply("example-3.yaml");
            page.navigate("http://127.0.0.1:%d/?q=%s".formatted(server.port(), scenario.namespace()));

            scenario.podWithClaim("pod-a", "gpu.example.com", "mig-1g");
            Locator gpu = page.locator(".gpu");
            assertThat(gpu.locator(".mode")).hasText("mig");
            assertThat(gpu.locator(".holders")).containsText(scenario.namespace() + "/pod-a");
            assertThat(gpu.locator(".excludes")).containsText("vgpu");

            scenario.podWithClaim("pod-b", "gpu.example.com", "vgpu");
            page.locator(".waiter")
                    .filter(new Locator.FilterOptions().setHasText(scenario.namespace() + "/pod-b"))
                    .click();
            assertThat(page.locator(".why")).containsText("gpu-0-mig-1g-0");
            assertThat(page.locator(".ways")).containsText(scenario.namespace() + "/pod-a");
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
            assertThat(page.locator(".waiter")
                            .filter(new Locator.FilterOptions().setHasText(scenario.namespace() + "/pod-b")))
                    .hasCount(0);
            assertThat(page.locator(".story ol")).containsText("/pod-b waits no more");
            page.context().close();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }
}
