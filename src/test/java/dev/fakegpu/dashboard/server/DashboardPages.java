package dev.fakegpu.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import dev.fakegpu.cli.input.YamlDrafts;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.testing.BrowserExtension;
import dev.fakegpu.testing.Patience;
import dev.fakegpu.util.Ticker;
import io.vertx.core.Vertx;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Opens the page in a browser, with a simulated cluster. Screenshots are in {@code target/dashboard}. */
@Tag("long")
abstract class DashboardPages {

    @RegisterExtension
    static final BrowserExtension browser = new BrowserExtension();

    private static Vertx vertx;

    private static final Path SCREENSHOTS = Path.of("target/dashboard");

    /** For tests that do not change the cluster. */
    static final PlayedCluster FULL = PlayedCluster.full();

    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeAll
    static void waitPatiently() {
        PlaywrightAssertions.setDefaultAssertionTimeout(Patience.LIMIT.toMillis());
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    final Page open(PlayedCluster cluster, Browser.NewContextOptions options, String query) {
        var reader = new DashboardReader("https://127.0.0.1:6443/", PendingChanges.NONE);
        var feed = new DashboardFeed(
                cluster.live(),
                reader,
                new YamlDrafts("research", KubernetesVersion.NEWEST),
                cluster.clock(),
                Ticker.SYSTEM);
        return open(Admission.everybody(feed), options, query);
    }

    final Page open(Admission admission, Browser.NewContextOptions options, String query) {
        opened.add(admission);
        var server = new DashboardServer(vertx, new InetSocketAddress("127.0.0.1", 0), admission);
        opened.add(server);
        Page page = browser.page(options);
        opened.add(page.context());
        var problems = new ArrayList<String>();
        page.onConsoleMessage(message -> {
            boolean isRefusal = message.text().contains("status of 400"); // the page shows it to its user
            if (List.of("error", "warning").contains(message.type()) && !isRefusal) {
                problems.add(message.text());
            }
        });
        page.onPageError(problems::add);
        opened.add(() ->
                assertThat(problems).as("what the browser complains about").isEmpty());
        page.navigate("http://127.0.0.1:" + server.port() + "/" + query);
        return page;
    }

    static Browser.NewContextOptions size(int width, int height, ColorScheme scheme) {
        return new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(scheme);
    }

    static Browser.NewContextOptions wide() {
        return size(1440, 1000, ColorScheme.LIGHT);
    }

    static void picture(Page page, String name) {
        page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
    }

    static Locator waiter(Page page, String name) {
        return page.locator(".waiter").filter(new Locator.FilterOptions().setHasText(name));
    }

    /** Runs axe-core with light and with dark colors. */
    static void assertAccessible(Page page) {
        Object wasDark = page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches");
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            assertThat(BrowserExtension.violations(page)).as("%s", scheme).isEmpty();
        }
        page.emulateMedia(new Page.EmulateMediaOptions()
                .setColorScheme(Boolean.TRUE.equals(wasDark) ? ColorScheme.DARK : ColorScheme.LIGHT));
    }

    static void assertNothingIsClipped(Page page) {
        Object clipped = page.evaluate("() => [...document.querySelectorAll('.gpu *, aside *, .top *, .compact .host')]"
                + ".filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1 && getComputedStyle(e).display !== 'inline'"
                + " && !e.closest('.scroll')).map(e => e.outerHTML.slice(0, 120))");
        assertThat((List<?>) clipped).as("clipped or overflowing").isEmpty();
        Object sideways = page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth");
        assertThat(((Number) sideways).intValue()).as("wider than the screen").isLessThanOrEqualTo(0);
    }
}
