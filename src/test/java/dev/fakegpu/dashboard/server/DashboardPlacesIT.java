package dev.fakegpu.dashboard.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests how the page shows where devices are: the map of all nodes, and cards grouped by NUMA node and PCIe root. */
class DashboardPlacesIT extends DashboardPages {

    @Test
    void mapHasARowForEachNodeAndOpensItsCards() {
        Page page = open(FULL, wide(), "?size=compact");

        assertThat(page.locator(".map button")).hasCount(4);
        assertThat(page.locator(".map .strip-unhealthy")).hasCount(1);
        assertThat(page.locator(".legend")).containsText("1 unhealthy");
        assertThat(page.locator(".gpu")).hasCount(0);
        waiter(page, "research/big-job").click();
        page.getByLabel("Node", new Page.GetByLabelOptions().setExact(true)).fill("a100"); // as wide as the names
        assertThat(page.locator(".map .marked")).hasCount(2);
        assertNothingIsClipped(page);
        page.getByText("Show everything").click();
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
    }

    @Test
    void mapShowsAThousandNodesOnTwoScreens() {
        Page page = open(FULL, wide(), "?size=compact");
        assertThat(page.locator(".map button")).hasCount(4);

        Object screens = page.evaluate("""
                async () => {
                  const {map} = await import("/map.js");
                  const {render, nothing} = await import("/lit-html/lit-html.js");
                  const strip = {lanes: 1, segments: [{lane: 0, state: "FREE", from: 0, to: 10000}]};
                  const gpus = Array.from({length: 8}, (ignored, index) => ({id: `${index}`, name: `gpu-${index}`, mode: "idle", strip}));
                  const nodes = Array.from({length: 1000}, (ignored, index) => ({name: `training-pool-node-${index}`, gpus}));
                  const box = document.createElement("div");
                  document.querySelector(".map").replaceWith(box);
                  render(map(nodes, "compact", "", {inWay: new Map(), changes: new Set()}, () => nothing, () => {}), box);
                  return document.documentElement.scrollHeight / innerHeight;
                }""");

        assertThat(page.locator(".map button")).hasCount(1000);
        org.assertj.core.api.Assertions.assertThat(((Number) screens).doubleValue())
                .isLessThan(2);
        picture(page, "map-thousand");
    }

    @Test
    void foldsMostCardsThatAreInTheWaySoThatTheRestStaysOnTheScreen() {
        Page page = open(FULL, size(420, 900, ColorScheme.LIGHT), "?size=compact");

        waiter(page, "research/big-job").click();
        Locator cards = page.locator(".spotlight .gpu.involved");
        assertThat(cards).hasCount(4);
        assertThat(cards.nth(1)).isVisible();
        assertThat(cards.nth(2)).not().isVisible();
        page.getByText("2 more", new Page.GetByTextOptions().setExact(true)).click();
        assertThat(cards.nth(3)).isVisible();
        assertAccessible(page);
        assertNothingIsClipped(page);
    }

    @Test
    void ordersPcieRootsByTheirHexadecimalNumbers() {
        PlayedCluster cluster = PlayedCluster.empty();
        cluster.apply("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: a100}
                spec: {model: A100-SXM4-80GB, count: 4, nodes: {simulated: {count: 1}}}
                """);
        cluster.goOn(Duration.ofMinutes(1));
        Page page = open(cluster, wide(), "?size=cards");

        assertThat(page.locator(".gpu h3")).hasText(new String[] {"gpu-0", "gpu-1", "gpu-2", "gpu-3"});
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
    void nodeWithOnePlaceHasNoTitles() {
        Page page = open(FULL, wide(), "?node=l40s-node-0");
        assertThat(page.locator(".gpu")).hasCount(2);
        assertThat(page.locator(".numa")).hasCount(2);
        assertThat(page.locator(".root")).hasCount(0);

        page.getByText("Show everything").click();
        page.getByLabel("Node", new Page.GetByLabelOptions().setExact(true)).fill("shared-node-0");
        assertThat(page.locator(".gpu")).hasCount(1);
        assertThat(page.locator(".place")).hasCount(0);
    }
}
