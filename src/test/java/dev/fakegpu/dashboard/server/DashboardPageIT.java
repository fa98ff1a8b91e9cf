package dev.fakegpu.dashboard.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import dev.fakegpu.cli.input.YamlDrafts;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.testing.BrowserExtension;
import dev.fakegpu.testing.Patience;
import dev.fakegpu.util.Ticker;
import io.vertx.core.Vertx;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the page in a browser, with a simulated cluster. Screenshots are in {@code target/dashboard}. */
@Tag("long")
class DashboardPageIT {

    @RegisterExtension
    static final BrowserExtension browser = new BrowserExtension();

    private static final Vertx VERTX = Vertx.vertx();

    private static final Path SCREENSHOTS = Path.of("target/dashboard");

    /** For tests that do not change the cluster. */
    private static final PlayedCluster FULL = PlayedCluster.full();

    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeAll
    static void waitPatiently() {
        PlaywrightAssertions.setDefaultAssertionTimeout(Patience.LIMIT.toMillis());
    }

    @AfterAll
    static void stop() {
        VERTX.close().toCompletionStage().toCompletableFuture().join();
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private Page open(PlayedCluster cluster, Browser.NewContextOptions options, String query) {
        var reader = new DashboardReader("https://127.0.0.1:6443/", PendingChanges.NONE);
        var feed =
                new DashboardFeed(cluster.live(), reader, new YamlDrafts("research"), cluster.clock(), Ticker.SYSTEM);
        return open(Admission.everybody(feed), options, query);
    }

    private Page open(Admission admission, Browser.NewContextOptions options, String query) {
        opened.add(admission);
        var server = new DashboardServer(VERTX, new InetSocketAddress("127.0.0.1", 0), admission);
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

    private static Browser.NewContextOptions size(int width, int height, ColorScheme scheme) {
        return new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(scheme);
    }

    private static Browser.NewContextOptions wide() {
        return size(1440, 1000, ColorScheme.LIGHT);
    }

    private static void picture(Page page, String name) {
        page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
    }

    private static Locator waiter(Page page, String name) {
        return page.locator(".waiter").filter(new Locator.FilterOptions().setHasText(name));
    }

    /** Runs axe-core with light and with dark colors. */
    private static void assertAccessible(Page page) {
        Object wasDark = page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches");
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            assertThat(BrowserExtension.violations(page)).as("%s", scheme).isEmpty();
        }
        page.emulateMedia(new Page.EmulateMediaOptions()
                .setColorScheme(Boolean.TRUE.equals(wasDark) ? ColorScheme.DARK : ColorScheme.LIGHT));
    }

    private static void assertNothingIsClipped(Page page) {
        Object clipped = page.evaluate("() => [...document.querySelectorAll('.gpu *, aside *, .top *')]"
                + ".filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1 && getComputedStyle(e).display !== 'inline'"
                + " && !e.closest('.scroll')).map(e => e.outerHTML.slice(0, 120))");
        assertThat((List<?>) clipped).as("clipped or overflowing").isEmpty();
        Object sideways = page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth");
        assertThat(((Number) sideways).intValue()).as("wider than the screen").isLessThanOrEqualTo(0);
    }

    @Test
    void showsHoldersWaitersAndWhatIsInTheWay() {
        Page page = open(FULL, wide(), "");

        assertThat(page.getByText("Live", new Page.GetByTextOptions().setExact(true)))
                .isVisible();
        assertThat(page.locator(".gpu").first()).isVisible();
        assertNothingIsClipped(page);
        assertAccessible(page);
        picture(page, "light");
        List<?> counts = (List<?>) page.evaluate(LETTERS);
        assertThat(counts.get(0))
                .as("claims %s, of which letters, and both together", counts)
                .isNotEqualTo(1)
                .isEqualTo(counts.get(1))
                .isEqualTo(counts.get(2));

        waiter(page, "research/big-job").click();
        assertThat(page.locator(".why p").first()).containsText("no device for request");
        assertThat(page.locator(".gpu.involved").first()).isVisible();
        assertThat(page.locator(".seg.inway").first()).isVisible();
        assertThat(page).hasURL(java.util.regex.Pattern.compile(".*open=Pod%2Fresearch%2Fbig-job.*"));
        assertAccessible(page);
        assertNothingIsClipped(page);
        picture(page, "waiting-light");

        page.locator(".try").first().click();
        assertThat(page.locator(".tried")).containsText("pod research/big-job would be placed on a100-node-");
        assertThat(page.locator("#tried")).isFocused();
        assertThat(page.locator(".gpu.changes .holders")).containsText("research/big-job");
        assertAccessible(page);
        assertNothingIsClipped(page);
        picture(page, "tried");
        page.getByText("Back to what is").click();
        assertThat(page.locator(".gpu.changes")).hasCount(0);
        assertThat(page.locator(".gpu.involved").first()).isVisible();
    }

    /** The number of claims shown, of letters, and of pairs of both: all are equal if each claim has its own letter. */
    private static final String LETTERS = """
            () => {
              const shown = [...document.querySelectorAll(".seg b")].map(b => [b.parentElement.title.split("held by ")[1], b.textContent]);
              return [shown.map(([claim]) => claim), shown.map(([, letter]) => letter), shown.map(each => each.join(" "))].map(all => new Set(all).size);
            }""";

    @Test
    void isReadableInTheDark() {
        Page page = open(FULL, size(1440, 1000, ColorScheme.DARK), "?open=Pod%2Fresearch%2Fbig-job");

        assertThat(page.locator(".why p").first()).isVisible();
        assertThat(page.locator(".gpu").first()).isVisible();
        assertAccessible(page);
        picture(page, "waiting-dark");
    }

    @Test
    void theMapHasARowForEachNodeAndOpensItsCards() {
        Page page = open(FULL, wide(), "?size=compact");

        assertThat(page.locator(".map button")).hasCount(4);
        assertThat(page.locator(".map .strip-unhealthy")).hasCount(1);
        assertThat(page.locator(".legend")).containsText("1 unhealthy");
        assertThat(page.locator(".gpu")).hasCount(0);
        waiter(page, "research/big-job").click();
        assertThat(page.locator(".map .inway")).hasCount(4);
        assertThat(page.locator(".spotlight .gpu.involved").first()).containsText("gpu-0 on a100-node-0");
        page.getByLabel("l40s-node-0: 2 GPUs, 1 unhealthy").click();
        assertThat(page).hasURL(java.util.regex.Pattern.compile(".*at=l40s-node-0&size=compact$"));
        assertThat(page.locator(".map .opened .gpu")).hasCount(2);
        assertAccessible(page);
        assertNothingIsClipped(page);
        picture(page, "map");

        page.getByText("Large", new Page.GetByTextOptions().setExact(true)).click();
        page.reload();
        assertThat(page.locator(".large .opened .gpu")).hasCount(2);
        assertThat(page.locator(".large .strip-unhealthy")).containsText("unhealthy");
        assertAccessible(page);
        assertThat(page.evaluate(TOLD))
                .isEqualTo("allocated a/b was allocated 8 devices (gpu-0 to gpu-7) on n;"
                        + " prepared 8 devices (gpu-0 to gpu-7) were prepared for a/b on n");
    }

    /** Eight devices of a claim that are prepared in the same second in which they are allocated. */
    private static final String TOLD = """
            async () => {
              const {events, told} = await import("./story.js");
              const picture = (count, prepared) => ({names: ["n"], waiting: [], nodes: new Map([["n", {gpus: [...Array(count).keys()].map(i =>
                ({id: `${i}`, holdings: [{device: `gpu-${i}`, claim: "a/b", prepared}]}))}]])});
              const [free, held, ready] = [picture(0), picture(8, ""), picture(8, "succeeded")];
              const history = [{at: 1000, events: []}, {at: 2000, events: events(free, held)}, {at: 2500, events: events(held, ready)}];
              return told(history).map(({kind, text}) => `${kind} ${text}`).join("; ");
            }""";

    @Test
    void fitsNarrowScreens() {
        Page page = open(FULL, size(390, 844, ColorScheme.LIGHT), "");

        assertThat(page.getByLabel("Mode")).isHidden();
        waiter(page, "research/big-job").click();
        assertThat(page.locator(".why .gpu.involved").first()).isVisible();
        waiter(page, "research/big-job").click();
        assertThat(page.locator(".gpu").first()).isAttached();
        assertNothingIsClipped(page);
        assertAccessible(page);
        picture(page, "narrow");
        page.locator(".gpu").first().scrollIntoViewIfNeeded();
        picture(page, "narrow-devices");
    }

    @Test
    void groupsTheCardsOfAMachineByNumaNodeAndPcieRoot() {
        PlayedCluster cluster = PlayedCluster.machine();
        Page page = open(cluster, wide(), "?size=cards");
        Locator numas = page.locator(".numa");

        assertThat(numas).hasCount(2);
        assertThat(numas.first().locator("> .place")).hasText("NUMA node 0");
        assertThat(numas.last().locator("> .place")).hasText("NUMA node 1");
        assertThat(numas.first().locator(".root > .place").first()).hasText("PCIe root pci0000:15");
        assertThat(page.getByLabel("PCIe root pci0000:b7").locator(".gpu h3")).hasText(new String[] {"pf-5", "gpu-5"});
        assertThat(page.locator(".root")).hasCount(8);
        assertThat(page.locator(".numa > .gpus > .gpu h3")).hasText(new String[] {"cpudevnuma000", "cpudevnuma001"});
        assertThat(page.locator(".gpu")).hasCount(18);
        assertNothingIsClipped(page);
        assertAccessible(page);
        picture(page, "places");
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        picture(page, "places-dark");

        page.setViewportSize(420, 900);
        assertNothingIsClipped(page);
        assertAccessible(page);
        numas.first().scrollIntoViewIfNeeded();
        picture(page, "places-narrow");
    }

    @Test
    void aNodeWithOnePlaceHasNoTitles() {
        Page page = open(FULL, wide(), "?node=l40s-node-0");
        assertThat(page.locator(".gpu")).hasCount(2);
        assertThat(page.locator(".numa")).hasCount(2);
        assertThat(page.locator(".root")).hasCount(0);

        page.getByText("Show everything").click();
        page.getByLabel("Node", new Page.GetByLabelOptions().setExact(true)).fill("shared-node-0");
        assertThat(page.locator(".gpu")).hasCount(1);
        assertThat(page.locator(".place")).hasCount(0);
    }

    @Test
    void theUrlKeepsWhatIsSearchedFor() {
        Page page = open(FULL, wide(), "?q=workstation-a");
        assertThat(page.locator(".gpu")).hasCount(1);
        assertThat(page.getByLabel("Search", new Page.GetByLabelOptions().setExact(true)))
                .hasValue("workstation-a");

        page.getByText("Show everything").click();
        assertThat(page.locator(".node")).hasCount(4);
        page.getByLabel("Mode").selectOption("idle");
        assertThat(page).hasURL(java.util.regex.Pattern.compile(".*\\?mode=idle$"));
        page.reload();
        assertThat(page.getByLabel("Mode")).hasValue("idle");
        page.getByText("Show everything").click();

        page.getByLabel("Device class").selectOption("vgpu.gpu.example.com");
        assertThat(page).hasURL(java.util.regex.Pattern.compile(".*\\?class=vgpu.gpu.example.com$"));
        Locator holders = page.locator(".holders li");
        assertThat(holders.filter(new Locator.FilterOptions().setHasText("desktops/workstation-")))
                .hasCount(2);
        assertThat(holders).hasCount(2);
        assertThat(page.locator(".waiter")).hasCount(0);
    }

    @Test
    void waitingPodsAreGroupedByReasonAndATolerationCanBeTried() {
        PlayedCluster cluster = PlayedCluster.full();
        cluster.pod("research", "tainted", "other.example.com", "device.attributes['other.example.com'].type == 'gpu'");
        cluster.apply("""
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {namespace: research, name: ring}
                spec: {schedulingPolicy: {gang: {minCount: 3}}}
                """);
        cluster.member("research", "ring-0", "ring");
        cluster.member("research", "ring-1", "ring");
        Page page = open(cluster, wide(), "");

        Locator reasons = page.locator(".reason");
        assertThat(reasons).hasCount(3);
        assertThat(reasons.nth(1)).containsText("devices tainted");
        assertThat(page.locator(".gang")).containsText("PodGroup, 2 pods");
        waiter(page, "research/ring").click();
        assertThat(page.locator(".members .waiter")).hasCount(2);
        assertThat(page.locator(".members > p")).containsText("PodGroup \"ring\" needs 3 pods, 2 exist.");
        assertAccessible(page);
        picture(page, "gang");
        waiter(page, "research/tainted").click();
        page.locator(".try").click();
        assertThat(page.locator("#tried"))
                .containsText("If research/tainted tolerated example.com/maintenance=planned:NoSchedule");
        assertThat(page.locator(".tried")).containsText("pod research/tainted would be placed on l40s-node-");
        assertAccessible(page);
        picture(page, "tolerated");
    }

    /** The page as the operator serves it to users who may not see names. */
    @Test
    void namesAreWithheldWhereTheyMayNotBeSeen() {
        var feeds = new FeedPool(
                FULL.live(),
                new DashboardReader("https://127.0.0.1:6443/", PendingChanges.NONE),
                FULL.clock(),
                Ticker.SYSTEM);
        Page page = open(new OneForAll(feeds, Visibility.NO_NAMES), wide(), "");

        assertThat(page.locator(".notice")).containsText("names of pods and claims");
        waiter(page, "(namespace ").first().click();
        assertThat(page.locator(".why p").first()).containsText("is shown only to those who may read it");
        assertThat(page.locator(".seg.inway").first()).isVisible();
        assertThat(page.getByLabel("A pod, claim, Deployment or FakeGpu")).hasCount(0);
        assertNothingIsClipped(page);
        assertAccessible(page);
        picture(page, "withheld");
        page.locator(".try").first().click();
        assertThat(page.locator(".tried")).containsText(") would be placed on a100-node-");
    }

    @Test
    void followsTheClusterAndLooksBack() {
        PlayedCluster cluster = PlayedCluster.full();
        Page page = open(cluster, wide(), "");
        assertThat(page.locator(".gpu").first()).isVisible(); // the first picture, with which the next one is compared
        assertThat(page.locator(".holders").filter(new Locator.FilterOptions().setHasText("ml/late")))
                .hasCount(0);

        cluster.mig("ml", "late", "1g.5gb");
        Locator holder = page.locator(".holders li").filter(new Locator.FilterOptions().setHasText("ml/late"));
        assertThat(holder).isVisible();
        assertThat(page.locator(".story ol")).containsText("ml/late was allocated gpu-");
        assertThat(page.locator(".story .prepared")).containsText("for ml/late on ");
        picture(page, "story");

        page.locator(".story input").fill("0");
        assertThat(holder).hasCount(0);
        assertThat(page.locator(".live")).containsText("Looking back: the picture is of ");
        assertThat(page.getByText("Back to now")).isVisible();
        assertAccessible(page);
        page.getByText("Back to now").click();
        assertThat(holder).isVisible();
    }

    /** It does not matter whether a picture is taken between the pod's decision and its binding. */
    @Test
    void announcesOnceThatAPodIsNoLongerWaiting() {
        Page page = open(PlayedCluster.full(), wide(), "");

        Object told = page.evaluate("""
                async () => {
                  const {events} = await import("./story.js");
                  const of = code => ({names: [], nodes: new Map(),
                    waiting: code ? [{id: "p", kind: "Pod", namespace: "ml", name: "p", code}] : []});
                  const pictures = ["DevicesInUse", "NotBoundYet", ""].map(of);
                  return pictures.slice(1).flatMap((after, n) => events(pictures[n], after)).map(event => event.text);
                }
                """);

        assertThat(told).isEqualTo(List.of("pod ml/p waits no more"));
    }

    /** A claim exists before its pod, and a user may have opened it in between. */
    @Test
    void whatIsOpenStaysOpenUntilItIsClosed() {
        PlayedCluster cluster = PlayedCluster.full();
        cluster.claim("research", "late", "gpu.example.com", "device.attributes['gpu.example.com'].type == 'gpu'");
        Page page = open(cluster, wide(), "");
        waiter(page, "research/late").click();
        assertThat(page).hasURL(java.util.regex.Pattern.compile(".*open=ResourceClaim%2Fresearch%2Flate$"));
        assertThat(page.locator(".why")).isVisible();

        cluster.podOfClaim("research", "late");
        assertThat(waiter(page, "research/late")).containsText("pod");
        assertThat(page.locator(".why")).containsText("no device for request");
        assertThat(page.locator(".story ol")).containsText("pod research/late waits: ");
        assertThat(page.locator(".story ol")).not().containsText("claim research/late waits no more");

        cluster.apply("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: more}
                spec: {nodes: {simulated: {count: 1}}, model: A100-SXM4-40GB, count: 4}
                """);
        cluster.goOn(Duration.ofMinutes(3));
        assertThat(page.getByText("The claim research/late does not wait.")).isVisible();
        assertAccessible(page);
        page.getByText("Close").click();
        assertThat(page.getByText("does not wait.")).hasCount(0);
    }

    @Test
    void greysTheLastPictureWhileTheApiServerIsAway() {
        PlayedCluster cluster = PlayedCluster.full();
        Page page = open(cluster, wide(), "");
        assertThat(page.locator(".live")).hasText("Live");

        cluster.connected.set(false);
        assertThat(page.locator(".live")).containsText("The API server is away: the picture is from");
        assertThat(page.locator(".columns.stale")).isVisible();
        assertThat(page.locator(".gpu").first()).isVisible();
        assertAccessible(page);
        picture(page, "away");

        cluster.connected.set(true);
        assertThat(page.locator(".live")).hasText("Live");
    }

    @Test
    void saysHowToGetAFirstPicture() {
        Page page = open(PlayedCluster.empty(), wide(), "");

        assertThat(page.getByText("No devices yet")).isVisible();
        assertThat(page.locator(".empty pre")).hasCount(3);
        assertAccessible(page);
        picture(page, "empty");
    }

    @Test
    void triesWhatIsWritten() {
        Page page = open(FULL, wide(), "");
        page.getByLabel("A pod, claim, Deployment or FakeGpu").fill("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: research, name: draft}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: vgpu.gpu.example.com}}]}}
                """);
        page.getByText("Check and try").click();
        assertThat(page.locator(".tried")).containsText("claim research/draft would be placed on a100-node-");
        assertThat(page.locator(".gpu.changes .holders")).containsText("research/draft");
        assertAccessible(page);
        picture(page, "yaml");

        page.getByLabel("A pod, claim, Deployment or FakeGpu").fill("kind: [");
        page.getByText("Check and try").click();
        assertThat(page.locator(".problem")).containsText("YAML: is not YAML: line ");
        assertThat(page.locator(".tried")).hasCount(0);
    }

    @Test
    void playsAScenarioForwardAndBackInTwoWorlds() {
        Page page = open(PlayedCluster.empty(), wide(), "?view=play&step=2");
        Locator on = page.locator(".worlds > section").first();
        Locator off = page.locator(".worlds > section").last();

        assertThat(on.locator(".mode")).hasText("mig");
        assertThat(on.locator(".notice")).containsText("desktop waits");
        assertThat(off.locator(".holders .failed")).containsText("preparation failed: ");
        assertAccessible(page);
        assertNothingIsClipped(page);
        picture(page, "compare");

        page.getByText("Pod train ends").click();
        assertThat(page).hasURL(java.util.regex.Pattern.compile(".*view=play&step=3$"));
        assertThat(on.locator(".mode")).hasText("vgpu-10c");
        page.keyboard().press("ArrowLeft");
        assertThat(page.getByText("Step 3 of 4")).isVisible();
        page.getByText("← Back").click();
        assertThat(page.getByText("Step 2 of 4")).isVisible();
        assertThat(on.locator(".notice")).hasCount(0);
        page.getByText("Back to the cluster").click();
        assertThat(page.getByText("No devices yet")).isVisible();
    }

    /** Tab stops from the top: skip link, comparison, gate, filters, waiting pods, devices. */
    @Test
    void worksWithTheKeyboardAlone() {
        Page page = open(FULL, wide(), "");
        assertThat(page.locator(".waiter").first()).isVisible();
        page.keyboard().press("Tab");
        assertThat(page.locator(".skip")).isFocused();
        page.keyboard().press("Tab");
        assertThat(page.getByText("Play scenarios")).isFocused();
        page.keyboard().press("Tab");
        assertThat(page.locator(".enforcers summary")).isFocused();
        for (int i = 0; i < 7; i++) {
            page.keyboard().press("Tab");
        }
        assertThat(page.getByLabel("Reason of waiting")).isFocused();
        page.keyboard().press("Tab");
        assertThat(page.locator(".waiter").first()).isFocused();
        page.keyboard().press("Enter");
        assertThat(page.locator(".waiter").first()).hasAttribute("aria-expanded", "true");
        assertThat(page.locator(".why p").first()).isVisible();

        page.locator(".excludes summary").first().focus();
        page.waitForFunction(
                "getComputedStyle(document.activeElement, '::after').content.includes('share a compatibility group')");
        page.keyboard().press("Enter");
        assertThat(page.locator(".excludes details[open] p").first()).containsText("share a compatibility group");
        page.locator(".behind summary").first().focus();
        page.keyboard().press("Enter");
        assertThat(page.locator(".behind[open] table").first()).isVisible();
        assertAccessible(page);
    }
}
