package dev.fakegpu.dashboard.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.util.Ticker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the content of the page, its colors and sizes, its search, and its use with the keyboard. */
class DashboardPageIT extends DashboardPages {

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
    void urlKeepsTheSearch() {
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
        assertThat(page.locator(".seg.inway")).hasCount(0);
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
    void namesAreHiddenFromUsersWithoutRights() {
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
    void emptyClusterShowsHowToStart() {
        Page page = open(PlayedCluster.empty(), wide(), "");

        assertThat(page.getByText("No devices yet")).isVisible();
        assertThat(page.locator(".empty pre")).hasCount(3);
        assertAccessible(page);
        picture(page, "empty");
    }

    @Test
    void triesTheObjectsInTheEditor() {
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
    void saysThatItTriesUntilThereIsAnAnswer() {
        for (Browser.NewContextOptions size : List.of(wide(), size(420, 900, ColorScheme.LIGHT))) {
            Page page = open(FULL, size, "");
            var requests = new ArrayList<Route>();
            page.route("**/api/try", requests::add);
            page.getByLabel("A pod, claim, Deployment or FakeGpu").fill("kind: [");
            page.getByText("Check and try").click();
            assertThat(page.getByText("Trying …")).isInViewport();

            page.waitForCondition(() -> !requests.isEmpty());
            requests.get(0).resume();
            assertThat(page.locator(".problem")).containsText("YAML: is not YAML: line ");
            assertThat(page.getByText("Trying …")).hasCount(0);
        }
    }

    @Test
    void showsOnlyTheLastTrial() {
        Page page = open(FULL, wide(), "");
        var requests = new ArrayList<Route>();
        page.route("**/api/try", requests::add);
        page.getByLabel("A pod, claim, Deployment or FakeGpu").fill("kind: [");
        page.getByText("Check and try").click();
        page.waitForCondition(() -> requests.size() == 1);
        page.getByText("Check and try").click();
        page.waitForCondition(() -> requests.size() == 2);

        page.waitForResponse("**/api/try", () -> requests.get(0).resume());
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        assertThat(page.getByText("Trying …")).isVisible();
        assertThat(page.locator(".problem")).hasCount(0);

        requests.get(1).resume();
        assertThat(page.locator(".problem")).containsText("YAML: is not YAML: line ");
        assertThat(page.getByText("Trying …")).hasCount(0);
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
