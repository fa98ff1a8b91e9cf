package dev.fakegpu.dashboard.server;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how the page follows changes of a cluster, shows earlier states again, and plays scenarios. */
class DashboardChangesIT extends DashboardPages {

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

    /** Eight devices of a claim are prepared in the same second in which they are allocated. */
    @Test
    void showsAllDevicesOfAClaimInOneEntry() {
        Page page = open(FULL, wide(), "");

        Object shown = page.evaluate("""
                async () => {
                  const {events, told} = await import("./story.js");
                  const picture = (count, prepared) => ({names: ["n"], waiting: [], nodes: new Map([["n", {gpus: [...Array(count).keys()].map(i =>
                    ({id: `${i}`, holdings: [{device: `gpu-${i}`, claim: "a/b", prepared}]}))}]])});
                  const [free, held, ready] = [picture(0), picture(8, ""), picture(8, "succeeded")];
                  const history = [{at: 1000, events: []}, {at: 2000, events: events(free, held)}, {at: 2500, events: events(held, ready)}];
                  return told(history).map(({kind, text}) => `${kind} ${text}`).join("; ");
                }
                """);

        assertThat(shown)
                .isEqualTo("allocated a/b was allocated 8 devices (gpu-0 to gpu-7) on n;"
                        + " prepared 8 devices (gpu-0 to gpu-7) were prepared for a/b on n");
    }

    /** A claim exists before its pod, and a user may have opened it in between. */
    @Test
    void openDetailsStayOpenUntilTheyAreClosed() {
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
        assertThat(page.locator(".steps button >> visible=true")).hasCount(4);
        page.setViewportSize(420, 900);
        assertThat(page.locator(".steps button >> visible=true")).hasCount(1);
        assertNothingIsClipped(page);
        assertAccessible(page);
        page.getByText("Back to the cluster").click();
        assertThat(page.getByText("No devices yet")).isVisible();
    }
}
